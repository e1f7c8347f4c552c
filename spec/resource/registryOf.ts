import type { ResourceBinding } from 'toolwright/resources';
import { ResourceRegistry } from '../../src/resource/ResourceRegistry';

/** The registry of an application that binds this. */
export function registryOf(bindings: readonly ResourceBinding[]): ResourceRegistry {
  return new ResourceRegistry([{ bindings }]);
}
