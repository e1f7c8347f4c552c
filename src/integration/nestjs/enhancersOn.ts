import { classChain } from '../../common/classes.js';
import type { Constructor } from '../../common/types.js';

/** Where `@UseGuards` and its kin write. Said here, because Nest does not export the names from an entry of its own. */
const KEYS = ['__guards__', '__interceptors__', '__pipes__', '__exceptionFilters__'];

/** The guards, interceptors, pipes and filters that stand on a class or on its methods: classes, or objects that are used as they are. */
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
