import { getArgs } from '../metadata/args/MetadataArgsStorage.js';
import { getOwner, requireLegacyDecorators } from './place.js';

/**
 * Marks the parameter that gets the `ToolContext` if its type cannot, e.g. because the compiler emits no types.
 *
 * @example
 * ping(@Ctx() context: ToolContext) { … }
 */
export function Ctx(): (prototype: object, member: string | symbol | undefined, index: number) => void {
  return (target, member, index) => {
    requireLegacyDecorators('Ctx', member);
    getArgs(getOwner(target).type).contexts.push({ member, index });
  };
}
