import type { AbstractConstructor, Constructor } from '../common/types.js';
import { getArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { ToolOptions } from '../metadata/args/ToolMetadataArgs.js';
import type { ResultOf, ResultReference } from '../metadata/args/TypeReference.js';
import { getOwner, requireLegacyDecorators, requireParentheses, describeToolPlace } from './place.js';
import type { ToolContext } from '../tool/ToolContext.js';
import type { ToolReturn } from '../tool/ToolHandler.js';
import type { ToolResult } from '../value/ToolResult.js';

/** The decorator returned by `@Tool`, for a method or a class with `handle`. Checks the types of the handler against the options. */
export interface ToolDecorator<P, R extends ResultReference | undefined> {
  <H extends AnyHandler>(
    prototype: object,
    member: string | symbol,
    descriptor: TypedPropertyDescriptor<H> & Checked<HandlerFault<H, P, R>>,
  ): void;
  <H extends AnyHandler>(type: AbstractConstructor<{ handle: H }> & Checked<HandlerFault<H, P, R>>): void;
}

/**
 * Declares a method, or a class with `handle(params, context)`, as a tool that the model can call (docs/contract.md, 1).
 *
 * @param options the description (1-200 ASCII characters), or all options
 * @example
 * @Tool('Fetch one order.')
 * async getOrder(params: GetOrderParams, context: ToolContext) { … }
 */
export function Tool<P = unknown, const R extends ResultReference | undefined = undefined>(
  options: string | ToolOptions<P, R>,
): ToolDecorator<P, R> {
  requireParentheses('Tool', options);
  const written = (typeof options === 'string' ? { description: options } : options) as ToolOptions;
  return (target: object, member?: string | symbol, third?: PropertyDescriptor | number): void => {
    requireLegacyDecorators('Tool', member);
    if (member === undefined && third === undefined) {
      getArgs(target as Constructor).tools.push({ place: 'class', member: undefined, options: written });
      return;
    }
    const { type, isStatic } = getOwner(target);
    // A parameter of the constructor has no member name.
    const name = member ?? 'constructor';
    getArgs(type).tools.push({ place: describeToolPlace(name, isStatic, third), member: name, options: written });
  };
}

// The compiler evaluates these types for every handler. Cheap conditions come first, and no tuple types are created,
// because their members would be instantiated with them.

/** Any function. Its parameters are inferred, never supplied. */
export type AnyHandler = (...args: never[]) => unknown;

type Scalar = string | number | boolean | bigint | null | undefined | Date | readonly unknown[];

type ResultFault<Given, V> =
  Given extends Promise<ToolResult<V>>
    ? never
    : // In brackets, because `any` as the return type would yield both branches.
      [Given] extends [ToolReturn<V>]
      ? never
      : 'the handler does not return the declared result';

/** The fault of a handler's return type, for `@Tool` of `toolwright/es`. */
export type ReturnFault<H extends AnyHandler, R extends ResultReference | undefined> = R extends ResultReference
  ? ResultFault<ReturnType<H>, ResultOf<R> | null>
  : never;

type ContextFault<Second> = ToolContext extends Second ? never : 'the second parameter of a handler is its ToolContext';

type SignatureFault<H extends AnyHandler, First, Second, P> = First extends Scalar
  ? never
  : First extends ToolContext
    ? SwapFault<Second>
    : H extends (params: never, context: never) => unknown
      ? unknown extends P
        ? ContextFault<Second>
        : P extends First
          ? ContextFault<Second>
          : 'the first parameter is not the params class'
      : 'a handler with params has at most one more parameter, its ToolContext';

/** Rejects params after the context. Scalars may follow it. */
type SwapFault<Second> = unknown extends Second
  ? never
  : Second extends Scalar
    ? never
    : 'the params come before the context: (params, context)';

/** The fault of a handler, as a sentence; `never` for a valid handler or `any`. */
type HandlerFault<H extends AnyHandler, P, R extends ResultReference | undefined> = unknown extends H
  ? never
  : H extends (first: infer First, second: infer Second, ...rest: never[]) => infer Given
    ? SignatureFault<H, First, Second, P> | (R extends ResultReference ? ResultFault<Given, ResultOf<R> | null> : never)
    : never;

/** `unknown` for a valid handler; otherwise a type named after the fault, which no descriptor has. */
export type Checked<Fault> = [Fault] extends [never] ? unknown : { readonly 'handler does not fit its @Tool': Fault };
