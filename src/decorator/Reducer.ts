import type { Constructor } from '../common/types.js';
import type { SliceOp } from '../interface/SliceOp.js';
import { getArgs } from '../metadata/args/MetadataArgsStorage.js';
import { getOwner, requireLegacyDecorators } from './place.js';

/**
 * Declares a method of a state class as the reducer of one event. `session.install` registers it (docs/contract.md, 8).
 *
 * @param event thunk of the event class, which must be declared before the state class
 * @example
 * @Reducer(() => AddStep)
 * addStep(event: AddStep): SliceOp<Plan> {
 *   return SliceOps.replace(new Plan([...this.steps, event.title]));
 * }
 */
export function Reducer<E extends object>(
  event: () => Constructor<E>,
): <S extends object, H extends (event: E) => SliceOp<S>>(
  prototype: S,
  member: string | symbol,
  descriptor: TypedPropertyDescriptor<H>,
) => void {
  return (target, member) => {
    requireLegacyDecorators('Reducer', member);
    const { type, isStatic } = getOwner(target);
    getArgs(type).reducers.push({ member, event, isStatic });
  };
}
