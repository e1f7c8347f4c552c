import { argsOf } from '../metadata/args/MetadataArgsStorage.js';
import type { ParamOptions } from '../metadata/args/ParamMetadataArgs.js';
import { ownerOf, requireLegacyDecorators } from './place.js';

/** The decorator of a property, returned by `@Param`. */
export type PropertyParamDecorator = (prototype: object, property: string) => void;

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
export function Param(description: string | ParamOptions): PropertyParamDecorator;
export function Param(name: string, description: string | ParamOptions): ParameterParamDecorator;
export function Param(
  first: string | ParamOptions,
  second?: string | ParamOptions,
): PropertyParamDecorator & ParameterParamDecorator {
  const name = typeof first === 'string' && second !== undefined ? first : undefined;
  const given: unknown = second;
  const read = optionsOf(given === undefined ? first : given);
  const options = read ?? {};
  return (target: object, member: string | symbol | undefined, index?: unknown): void => {
    requireLegacyDecorators('Param', member);
    const { type } = ownerOf(target);
    if (typeof index === 'number') {
      argsOf(type).parameters.push({ member, index, name, options, misused: read === undefined });
    } else {
      const misused = second !== undefined || read === undefined;
      argsOf(type).properties.push({ property: String(member), options, misused });
    }
  };
}

/** Reads a description or options; undefined for anything else, which JavaScript may pass. */
function optionsOf(given: unknown): ParamOptions | undefined {
  if (typeof given === 'string') return { description: given };
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? given : undefined;
}

/** Declares a property of a result or state class; the same as `@Param` on a property. */
export function Field(description: string | ParamOptions): PropertyParamDecorator {
  return Param(description);
}
