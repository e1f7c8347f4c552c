import type { TypeReference, ValueOf } from '../metadata/args/TypeReference.js';
import type { ToolContext } from '../tool/ToolContext.js';
import type { ToolReturn } from '../tool/ToolHandler.js';

/** Any function: its parameters are read with `Parameters`, never supplied. */
export type AnyHandler = (...args: never[]) => unknown;

type Scalar = string | number | boolean | bigint | null | undefined | Date | readonly unknown[];

type ResultFault<H extends AnyHandler, R extends TypeReference | undefined> = R extends TypeReference
  ? // In brackets, since a handler that gives `any` would be both right and wrong.
    [ReturnType<H>] extends [ToolReturn<ValueOf<R> | null>]
    ? never
    : 'the handler does not return the declared result'
  : never;

type ContextFault<Second> = ToolContext extends Second ? never : 'the second parameter of a handler is its ToolContext';

type SignatureFault<A extends readonly unknown[], P> = A extends readonly []
  ? never
  : A extends readonly [infer First, ...infer Rest]
    ? First extends ToolContext
      ? never
      : First extends Scalar
        ? never
        : unknown extends P
          ? Rest extends readonly [infer Second, ...unknown[]]
            ? ContextFault<Second>
            : never
          : P extends First
            ? Rest extends readonly [infer Second, ...unknown[]]
              ? ContextFault<Second>
              : never
            : 'the first parameter is not the params class'
    : never;

/** What is wrong with a handler, as a sentence; never when nothing is. */
export type HandlerFault<H extends AnyHandler, P, R extends TypeReference | undefined> =
  SignatureFault<Parameters<H>, P> | ResultFault<H, R>;

/** Nothing for a good handler; otherwise a type that no descriptor has, named after the fault. */
export type Checked<Fault> = [Fault] extends [never] ? unknown : { readonly 'handler does not fit its @Tool': Fault };
