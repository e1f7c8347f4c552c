import { isObject, type Fields } from '../common/guards.js';
import type { Snapshotable, Transactional } from '../interface/Transactional.js';

/** Returns true if the resource provides its own overlays. */
export function isTransactional(resource: unknown): resource is Transactional<unknown> & object {
  return hasMethods(resource, 'begin', 'commit');
}

/** Returns true if the resource can be restored from a snapshot, and does not provide overlays. */
export function isSnapshotable(resource: unknown): resource is Snapshotable<unknown> & object {
  return hasMethods(resource, 'snapshot', 'restore') && !isTransactional(resource);
}

/** Returns true if the resource is rolled back with a failed call. */
export function canJoinCalls(resource: unknown): boolean {
  return isTransactional(resource) || isSnapshotable(resource);
}

function hasMethods(resource: unknown, ...names: readonly string[]): boolean {
  return isObject(resource) && names.every((name) => typeof (resource as Fields)[name] === 'function');
}
