import type { CheckedParam } from '../../metadata/args/CheckedParam.js';
import type { ParamOptions } from '../../metadata/args/ParamMetadataArgs.js';
import type { EnumReference, TypeReference } from '../../metadata/args/TypeReference.js';
import { Param as ExperimentalParam } from '../Param.js';
import { adaptDecorator } from './adaptDecorator.js';
import type { MemberContext } from './checkedTypes.js';

/** The option that only the standard decorator has. */
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
export function Param(...given: readonly unknown[]): (value: unknown, context: unknown) => void {
  return adaptDecorator('Param', ['field'], given, ExperimentalParam, 'decorators');
}

/**
 * Declares a field of a result or state class. Same as `@Param`.
 *
 * @alias
 */
export const Field = Param;
