import { setParameterTypes } from '../../common/reflect.js';
import type { AbstractConstructor } from '../../common/types.js';
import type { ToolOptions } from '../../metadata/args/ToolMetadataArgs.js';
import type { ResultReference } from '../../metadata/args/TypeReference.js';
import { Tool as ExperimentalTool, type AnyHandler } from '../Tool.js';
import type { CheckedConstructor, CheckedHandler, ClassContext, InjectList, MethodContext } from './checkedTypes.js';
import { recordLater, requireCall, resolveClasses, splitList } from './recordLater.js';

/** Options of a tool that is declared by a standard decorator. */
export interface StandardToolOptions<
  P = unknown,
  R extends ResultReference | undefined = ResultReference | undefined,
  I extends InjectList | undefined = InjectList | undefined,
> extends ToolOptions<P, R> {
  /**
   * On a method: the arguments after its params, `[ToolContext]` or `[]`. By default, a handler with `params` gets the context, and any
   * other handler gets nothing. On a class: the classes of the arguments of its constructor.
   */
  readonly inject?: I;
}

/** The decorator returned by `@Tool` of `toolwright/es`. Checks the handler and the constructor against the options. */
export interface StandardToolDecorator<
  P,
  R extends ResultReference | undefined,
  I extends InjectList | undefined,
> {
  <H extends AnyHandler>(method: H & CheckedHandler<H, P, R, I>, context: MethodContext): void;
  <C extends AbstractConstructor<{ handle: H }>, H extends AnyHandler>(
    type: C & CheckedHandler<C extends AbstractConstructor<{ handle: infer F extends AnyHandler }> ? F : H, P, R, undefined> &
      CheckedConstructor<C, I>,
    context: ClassContext,
  ): void;
}

/**
 * Declares a method, or a class with `handle(params, context)`, as a tool that the model can call.
 *
 * @param options the description (1-200 ASCII characters), or all options
 * @throws PromptValidationError E115, E116, E312
 * @example
 * @Tool({ description: 'Fetch one order.', params: GetOrderParams })
 * async getOrder(params: GetOrderParams, context: ToolContext) { … }
 */
export function Tool<
  P = unknown,
  const R extends ResultReference | undefined = undefined,
  const I extends InjectList | undefined = undefined,
>(options: string | StandardToolOptions<P, R, I>): StandardToolDecorator<P, R, I>;
export function Tool(options: unknown, second?: unknown): (value: unknown, context: unknown) => void {
  requireCall('Tool', second);
  const { list, others } = splitList('Tool', options, 'inject');
  const declare = ExperimentalTool(others) as unknown as (...args: readonly unknown[]) => void;
  return (_value, context) => {
    const { kind, name } = Object(context) as MethodContext | (ClassContext & { readonly name: string });
    recordLater('Tool', context, ['class', 'method'], (type) => {
      const inject = list === undefined ? undefined : resolveClasses(list);
      if (kind === 'class') {
        if (inject !== undefined) setParameterTypes(type, undefined, inject);
        declare(type);
        return;
      }
      const prototype = type.prototype as object;
      const hasParams = (others as Partial<ToolOptions>).params !== undefined;
      // The class in `params` replaces the type of the first parameter.
      if (inject !== undefined) setParameterTypes(prototype, name, hasParams ? [Object, ...inject] : inject);
      declare(prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
    });
  };
}
