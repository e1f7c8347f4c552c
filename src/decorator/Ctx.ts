import { getArgs } from '../metadata/args/MetadataArgsStorage.js';
import { getOwner, requireLegacyDecorators } from './place.js';

/**
 * Marks the parameter that gets the `ToolContext`. Needed only if the compiler emits no types.
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
