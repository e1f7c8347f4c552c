import type { Snapshotable } from '../interface/Snapshotable.js';
import type { Transactional } from '../interface/Transactional.js';

/** True for a resource that brings overlays of its own. */
export function isTransactional(resource: unknown): resource is Transactional<unknown> {
  return hasMethods(resource, 'begin', 'commit');
}

/** True for a resource that can be put back as it was, and brings no overlays. */
export function isSnapshotable(resource: unknown): resource is Snapshotable<unknown> & object {
  return hasMethods(resource, 'snapshot', 'restore') && !isTransactional(resource);
}

/** True for a resource that is rolled back with a call that fails. */
export function joinsCalls(resource: unknown): boolean {
  return isTransactional(resource) || isSnapshotable(resource);
}

function hasMethods(resource: unknown, ...names: readonly string[]): boolean {
  if (typeof resource !== 'object' || resource === null) return false;
  return names.every((name) => typeof (resource as Readonly<Record<string, unknown>>)[name] === 'function');
}
