import type { AbstractConstructor } from '../../common/types.js';
import { canJoinCalls } from '../canJoinCalls.js';
import { stateRefusals } from './stateRefusals.js';

/** A `#private` member in the source text of a class: a field, a method or an accessor. */
const PRIVATE_MEMBER = /(?:^|[{;}])\s*(?:(?:async|get|set)\s+|\*\s*)*#[A-Za-z_$][\w$]*\s*[=;(]/m;

const sound = new WeakSet<AbstractConstructor>();

/** Checks that a subclass has no `#private` members: its overlays would lack them. @throws ResourceError E916 */
export function refusePrivateMembers(type: AbstractConstructor, base: AbstractConstructor<unknown>): void {
  if (type === base || sound.has(type)) return;
  for (let owner: unknown = type; typeof owner === 'function' && owner !== base; owner = Object.getPrototypeOf(owner))
    if (PRIVATE_MEMBER.test(Function.prototype.toString.call(owner))) throw stateRefusals.privateMembers(owner);
  sound.add(type);
}

/** @throws ResourceError E916 for a field through which an overlay would change the resource itself */
export function ownFields(resource: object, type: AbstractConstructor): PropertyDescriptorMap {
  const fields = Object.getOwnPropertyDescriptors(resource);
  for (const [name, { value }] of Object.entries<PropertyDescriptor>(fields)) {
    if (typeof value === 'function') throw stateRefusals.ownFunction(type, name);
    if (canJoinCalls(value)) throw stateRefusals.ownResource(type, name);
  }
  return fields;
}
