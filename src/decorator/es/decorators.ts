import type { AbstractConstructor, Constructor } from '../../common/types.js';
import type { SliceOp } from '../../interface/SliceOp.js';
import type { CheckedHooks } from '../../metadata/args/CheckedHooks.js';
import type { CheckedParam } from '../../metadata/args/CheckedParam.js';
import type { CheckedTemplate } from '../../metadata/args/CheckedTemplate.js';
import type { CheckedOutput, OutputReference } from '../../metadata/args/OutputReference.js';
import type { ParamOptions } from '../../metadata/args/ParamMetadataArgs.js';
import type { PromptOptions, SectionOptions } from '../../metadata/args/SectionMetadataArgs.js';
import type { ToolOptions } from '../../metadata/args/ToolMetadataArgs.js';
import type { EnumReference, ResultReference, TypeReference } from '../../metadata/args/TypeReference.js';
import type { TemplateSource } from '../../metadata/Template.js';
import { Param as ExperimentalParam } from '../Param.js';
import { Prompt as ExperimentalPrompt } from '../Prompt.js';
import { Reducer as ExperimentalReducer } from '../Reducer.js';
import { Section as ExperimentalSection } from '../Section.js';
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

type StandardDecorator = (value: unknown, context: unknown) => void;

/**
 * Declares a class as a prompt: a tree of sections under one namespace and key.
 *
 * @throws PromptValidationError E115, E116, E312
 */
export function Prompt<const O extends OutputReference | undefined = undefined>(
  options: PromptOptions<O>,
): <Instance extends object>(type: Constructor<Instance> & CheckedOutput<Instance, O>, context: ClassContext) => void;
export function Prompt(...given: readonly unknown[]): StandardDecorator {
  return adaptDecorator('Prompt', ['class'], given, ExperimentalPrompt);
}

/**
 * Declares a class as a section of a prompt: its text, its tools and its child sections.
 *
 * @throws PromptValidationError E115, E116, E312
 */
export function Section<
  P = unknown,
  const T extends TemplateSource<never> = string,
  const S extends TemplateSource<never> = string,
  const I extends InjectList | undefined = undefined,
>(
  options: SectionOptions<P, T, S> &
    CheckedTemplate<T, NoInfer<P>> &
    CheckedTemplate<S, NoInfer<P>, 'summary'> &
    Inject<I>,
): <C extends Constructor>(
  type: C & CheckedHooks<InstanceType<C>, P> & CheckedConstructor<C, I>,
  context: ClassContext,
) => void;
export function Section(...given: readonly unknown[]): StandardDecorator {
  return adaptDecorator('Section', ['class'], given, ExperimentalSection, 'inject');
}

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
export function Tool(...given: readonly unknown[]): StandardDecorator {
  return adaptDecorator('Tool', ['class', 'method'], given, ExperimentalTool, 'inject');
}

interface Rules {
  /** Decorators of class-validator and class-transformer, which cannot stand on the field itself: `[IsEmail()]`. */
  readonly decorators?: readonly ((prototype: object, property: string) => void)[] | undefined;
}

/** Compares the field with the options. */
type StandardParamDecorator<E, D, O, R> = <T extends object, K extends string>(
  value: undefined,
  context: MemberContext<'field', T, CheckedParam<T, K, E, D, O, R>>,
) => void;

/**
 * Declares a field of a params class, with its rules and the description that the model reads. Name the type of a field that is not
 * initialised: compilers do not emit it.
 *
 * @throws PromptValidationError E115, E116, E312
 */
export function Param<
  const E extends EnumReference = never,
  const D = never,
  const O extends boolean = never,
  const R extends TypeReference = TypeReference,
>(description: string | (ParamOptions<E, D, O, R> & Rules)): StandardParamDecorator<E, D, O, R>;
export function Param(...given: readonly unknown[]): StandardDecorator {
  return adaptDecorator('Param', ['field'], given, ExperimentalParam, 'decorators');
}

/**
 * Declares a field of a result or state class. Same as `@Param`.
 *
 * @alias
 */
export const Field = Param;

/**
 * Declares a method of a state class as the reducer of one event.
 *
 * @param event thunk of the event class
 * @throws PromptValidationError E115, E116
 */
export function Reducer<E extends object>(
  event: () => Constructor<E>,
): <S extends object, H extends (event: E) => SliceOp<S>>(method: H, context: MemberContext<'method', S>) => void;
export function Reducer(...given: readonly unknown[]): StandardDecorator {
  return adaptDecorator('Reducer', ['method'], given, ExperimentalReducer);
}
