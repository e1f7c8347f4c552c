import { argsOf } from '../metadata/args/MetadataArgsStorage.js';
import type { ParamOptions } from '../metadata/args/ParamMetadataArgs.js';
import { ownerOf, requireLegacyDecorators } from './place.js';

/** `@Param` applied to a property. */
export type PropertyParamDecorator = (prototype: object, property: string) => void;

/** `@Param` applied to a handler's parameter. */
export type ParameterParamDecorator = (prototype: object, member: string | symbol | undefined, index: number) => void;

/**
 * Declares a property of a params class, or a scalar parameter of a handler, with its rules and the words that the model
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
  const words: unknown = second;
  const read = optionsOf(words === undefined ? first : words);
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

/** A description or options; undefined for anything else, which JavaScript may give. */
function optionsOf(words: unknown): ParamOptions | undefined {
  if (typeof words === 'string') return { description: words };
  return typeof words === 'object' && words !== null && !Array.isArray(words) ? words : undefined;
}

/** `@Param` under the name that fits results and state: declares a property of such a class. */
export function Field(description: string | ParamOptions): PropertyParamDecorator {
  return Param(description);
}
