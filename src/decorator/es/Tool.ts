import type { AbstractConstructor } from '../../common/types.js';
import type { ToolOptions } from '../../metadata/args/ToolMetadataArgs.js';
import type { ResultReference } from '../../metadata/args/TypeReference.js';
import { Tool as ExperimentalTool, type AnyHandler } from '../Tool.js';
import { adaptDecorator } from './adaptDecorator.js';
import type {
  CheckedConstructor,
  CheckedHandler,
  ClassContext,
  Inject,
  InjectList,
  MemberContext,
} from './checkedTypes.js';

/** Checks the handler and the constructor against the options. */
interface StandardToolDecorator<P, R extends ResultReference | undefined, I> {
  <H extends AnyHandler>(method: H & CheckedHandler<H, P, R, I>, context: MemberContext<'method'>): void;
  <H extends AnyHandler, C>(
    type: C & AbstractConstructor<{ handle: H }> & CheckedHandler<H, P, R, undefined> & CheckedConstructor<C, I>,
    context: ClassContext,
  ): void;
}

/**
 * Declares a method, or a class with `handle(params, context)`, as a tool that the model can call.
 *
 * @param options the description (1-200 ASCII characters), or all options
 * @throws PromptValidationError E115, E116, E312
 */
export function Tool<
  P = unknown,
  const R extends ResultReference | undefined = undefined,
  const I extends InjectList | undefined = undefined,
>(options: string | (ToolOptions<P, R> & Inject<I>)): StandardToolDecorator<P, R, I>;
export function Tool(...given: readonly unknown[]): (value: unknown, context: unknown) => void {
  return adaptDecorator('Tool', ['class', 'method'], given, ExperimentalTool, 'inject');
}
