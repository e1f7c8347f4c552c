import type { AbstractConstructor, Constructor } from '../common/types.js';
import { argsOf } from '../metadata/args/MetadataArgsStorage.js';
import type { ToolOptions } from '../metadata/args/ToolMetadataArgs.js';
import type { TypeReference } from '../metadata/args/TypeReference.js';
import type { AnyHandler, Checked, HandlerFault } from './HandlerCheck.js';
import { ownerOf, requireLegacyDecorators, requireParentheses, toolPlace } from './place.js';

/** The decorator returned by `@Tool`, for a method or a class with `handle`; checks the handler's types against the options. */
export interface ToolDecorator<P, R extends TypeReference | undefined> {
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
export function Tool<P = unknown, const R extends TypeReference | undefined = undefined>(
  options: string | ToolOptions<P, R>,
): ToolDecorator<P, R> {
  requireParentheses('Tool', options);
  const written = (typeof options === 'string' ? { description: options } : options) as ToolOptions;
  return (target: object, member?: string | symbol, third?: PropertyDescriptor | number): void => {
    requireLegacyDecorators('Tool', member);
    if (member === undefined && third === undefined) {
      argsOf(target as Constructor).tools.push({ place: 'class', member: undefined, options: written });
      return;
    }
    const { type, isStatic } = ownerOf(target);
    // A parameter of the constructor has no member.
    const name = member ?? 'constructor';
    argsOf(type).tools.push({ place: toolPlace({ name, isStatic, third }), member: name, options: written });
  };
}
