import { classChain } from '../../common/classes.js';
import type { Constructor } from '../../common/types.js';

/** The metadata keys of `@UseGuards` and its like. Declared here, because Nest does not export them from a public entry. */
const KEYS = ['__guards__', '__interceptors__', '__pipes__', '__exceptionFilters__'];

/** Returns the guards, interceptors, pipes and filters of a class and its methods: classes or instances. */
export function enhancersOn(type: Constructor): readonly unknown[] {
  return classChain(type).flatMap((owner) => {
    const prototype = owner.prototype as Record<PropertyKey, unknown>;
    const methods = Reflect.ownKeys(prototype).map(
      (key) => Object.getOwnPropertyDescriptor(prototype, key)?.value as unknown,
    );
    const places = [owner, ...methods].filter((place) => typeof place === 'function');
    return places.flatMap((place) => KEYS.flatMap((key) => writtenOn(key, place)));
  });
}

function writtenOn(key: string, place: object): readonly unknown[] {
  const list: unknown = Reflect.getOwnMetadata(key, place);
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}
