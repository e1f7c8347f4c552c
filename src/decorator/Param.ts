import { isRecord } from '../common/guards.js';
import { getArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { CheckedParam } from '../metadata/args/CheckedParam.js';
import type { ParamOptions } from '../metadata/args/ParamMetadataArgs.js';
import type { EnumReference, TypeReference } from '../metadata/args/TypeReference.js';
import { getOwner, requireLegacyDecorators } from './place.js';

/**
 * The decorator of a property, returned by `@Param`. The compiler compares the property with `enum`, `default`,
 * `optional` and the types in the options (docs/contract.md, 2). Without type parameters, it compares nothing.
 */
export type PropertyParamDecorator<E = EnumReference, D = unknown, O = boolean, R = TypeReference> = <
  T extends object,
  K extends string,
>(
  prototype: T,
  property: CheckedParam<T, K, E, D, O, R>,
) => void;

/** The decorator of a handler's parameter, returned by `@Param`. */
export type ParameterParamDecorator = (prototype: object, member: string | symbol | undefined, index: number) => void;

/**
 * Declares a property of a params class, or a scalar parameter of a handler, with its rules and the description that the model
 * reads (docs/contract.md, 2).
 *
 * @example
 * @Param('Order id, with its leading #') orderId!: string;                       // a property
 * weather(@Param('city', 'City and state') city: string) { … }                   // a handler's parameter: the name first
 */
export function Param<
  const E extends EnumReference = never,
  const D = never,
  const O extends boolean = never,
  const R extends TypeReference = TypeReference,
>(description: string | ParamOptions<E, D, O, R>): PropertyParamDecorator<E, D, O, R>;
export function Param(name: string, description: string | ParamOptions): ParameterParamDecorator;
export function Param(
  first: string | ParamOptions,
  second?: string | ParamOptions,
): (target: object, member: string | symbol | undefined, index?: unknown) => void {
  const name = typeof first === 'string' && second !== undefined ? first : undefined;
  const given: unknown = second;
  const read = readParamOptions(given === undefined ? first : given);
  const options = read ?? {};
  return (target: object, member: string | symbol | undefined, index?: unknown): void => {
    requireLegacyDecorators('Param', member);
    const { type } = getOwner(target);
    if (typeof index === 'number') {
      getArgs(type).parameters.push({ member, index, name, options, misused: read === undefined });
    } else {
      const misused = second !== undefined || read === undefined;
      getArgs(type).properties.push({ property: String(member), options, misused });
    }
  };
}

/** Reads a description or options. Returns undefined for any other value, which JavaScript may pass. */
function readParamOptions(given: unknown): ParamOptions | undefined {
  if (typeof given === 'string') return { description: given };
  return isRecord(given) ? given : undefined;
}

/** Declares a property of a result or state class. Same as `@Param` on a property. */
export function Field<
  const E extends EnumReference = never,
  const D = never,
  const O extends boolean = never,
  const R extends TypeReference = TypeReference,
>(description: string | ParamOptions<E, D, O, R>): PropertyParamDecorator<E, D, O, R> {
  return Param(description);
}
