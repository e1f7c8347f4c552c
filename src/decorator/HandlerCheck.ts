import type { TypeReference, ValueOf } from '../metadata/args/TypeReference.js';
import type { ToolContext } from '../tool/ToolContext.js';
import type { ToolReturn } from '../tool/ToolHandler.js';
import type { ToolResult } from '../value/ToolResult.js';

// The compiler evaluates these types for every handler. Cheap conditions come first, and no tuple types are created, whose
// members would be instantiated with them.

/** Any function: its parameters are inferred, never supplied. */
export type AnyHandler = (...args: never[]) => unknown;

type Scalar = string | number | boolean | bigint | null | undefined | Date | readonly unknown[];

type ResultFault<Given, V> =
  Given extends Promise<ToolResult<V>>
    ? never
    : // In brackets, since `any` as the return type would yield both branches.
      [Given] extends [ToolReturn<V>]
      ? never
      : 'the handler does not return the declared result';

type ContextFault<Second> = ToolContext extends Second ? never : 'the second parameter of a handler is its ToolContext';

type SignatureFault<First, Second, P> = First extends ToolContext | Scalar
  ? never
  : unknown extends P
    ? ContextFault<Second>
    : P extends First
      ? ContextFault<Second>
      : 'the first parameter is not the params class';

/** The fault of a handler, as a sentence; `never` if there is none, or if the handler is `any`. */
export type HandlerFault<H extends AnyHandler, P, R extends TypeReference | undefined> = unknown extends H
  ? never
  : H extends (first: infer First, second: infer Second, ...rest: never[]) => infer Given
    ? SignatureFault<First, Second, P> | (R extends TypeReference ? ResultFault<Given, ValueOf<R> | null> : never)
    : never;

/** `unknown` for a valid handler; otherwise a type that no descriptor has, named after the fault. */
export type Checked<Fault> = [Fault] extends [never] ? unknown : { readonly 'handler does not fit its @Tool': Fault };
