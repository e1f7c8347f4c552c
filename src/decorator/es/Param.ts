import type { CheckedParam } from '../../metadata/args/CheckedParam.js';
import type { ParamOptions } from '../../metadata/args/ParamMetadataArgs.js';
import type { EnumReference, TypeReference } from '../../metadata/args/TypeReference.js';
import { Param as ExperimentalParam } from '../Param.js';
import type { FieldContext } from './checkedTypes.js';
import { recordLater, requireCall, splitList } from './recordLater.js';

/** An experimental decorator of a property, such as those of class-validator and class-transformer. */
export type PropertyRule = (prototype: object, property: string) => void;

/** Options of a field that is declared by a standard decorator. */
export interface StandardParamOptions<
  E extends EnumReference = EnumReference,
  D = unknown,
  O extends boolean = boolean,
  R extends TypeReference = TypeReference,
> extends ParamOptions<E, D, O, R> {
  /** Decorators of class-validator and class-transformer, which cannot stand on the field itself: `[IsEmail()]`. */
  readonly decorators?: readonly PropertyRule[] | undefined;
}

/** The decorator of a field, returned by `@Param` of `toolwright/es`. Compares the field with the options. */
export type StandardParamDecorator<E, D, O, R> = <T extends object, K extends string>(
  value: undefined,
  context: FieldContext<T, CheckedParam<T, K, E, D, O, R>>,
) => void;

/**
 * Declares a field of a params class, with its rules and the description that the model reads. No compiler emits the type of a field: name
 * it, or initialise the field.
 *
 * @throws PromptValidationError E115, E116, E312
 * @example
 * @Param({ description: 'Order id, with its leading #', type: String }) orderId!: string;
 */
export function Param<
  const E extends EnumReference = never,
  const D = never,
  const O extends boolean = never,
  const R extends TypeReference = TypeReference,
>(description: string | StandardParamOptions<E, D, O, R>): StandardParamDecorator<E, D, O, R>;
export function Param(options: unknown, second?: unknown): (value: undefined, context: unknown) => void {
  return createDecorator('Param', options, second);
}

/** Declares a field of a result or state class. Same as `@Param`. */
export function Field<
  const E extends EnumReference = never,
  const D = never,
  const O extends boolean = never,
  const R extends TypeReference = TypeReference,
>(description: string | StandardParamOptions<E, D, O, R>): StandardParamDecorator<E, D, O, R>;
export function Field(options: unknown, second?: unknown): (value: undefined, context: unknown) => void {
  return createDecorator('Field', options, second);
}

function createDecorator(decorator: string, options: unknown, second: unknown) {
  requireCall(decorator, second);
  const { list = [], others } = splitList<PropertyRule>(decorator, options, 'decorators');
  const declare: PropertyRule = ExperimentalParam(others);
  return (_value: undefined, context: unknown): void => {
    recordLater(decorator, context, ['field'], (type) => {
      const { name } = context as FieldContext<object, string>;
      // Decorators run from the last to the first.
      for (const apply of [declare, ...list].reverse()) apply(type.prototype as object, name);
    });
  };
}
