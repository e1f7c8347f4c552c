import { isInstance } from '../../common/classes.js';
import { isObject, type Fields } from '../../common/guards.js';
import { setProperty } from '../../common/walkValue.js';
import type { ClassShape, TypeShape } from '../../metadata/ClassShape.js';
import { getTypeKey } from './Conformity.js';
import { OptionFinder } from '../read/OptionFinder.js';
import { createSerialiser } from './createSerialiser.js';

/**
 * Removes the properties that a result's declared type does not have, such as other columns of a row; returns the same value if
 * there are none. Instances of declared classes keep their class, and parts that are shared or refer to each other remain so.
 */
export function selectDeclared(type: TypeShape, value: unknown): unknown {
  const selection = new Selection();
  const part = selection.of(type, value);
  return selection.leftOut ? part : value;
}

/** A value with a copy that is not complete yet. */
interface Begun {
  readonly prototype: object;
  /** Undefined until a cycle leads back to the value. */
  copy: object | undefined;
}

class Selection {
  /** True if anything was removed. */
  leftOut = false;
  readonly #options = new OptionFinder();
  readonly #done = new Map<object, Map<object, unknown>>();
  readonly #begun = new Map<object, Map<object, Begun>>();

  of(type: TypeShape, value: unknown): unknown {
    if (!isObject(value)) return value;
    const key = getTypeKey(type);
    const done = this.#done.get(key) ?? new Map<object, unknown>();
    if (done.has(value)) return done.get(value);
    const begun = this.#begun.get(key)?.get(value);
    if (begun !== undefined) return (begun.copy ??= createEmptyCopy(begun.prototype));
    const part = this.#selectPart(type, value);
    this.#done.set(key, done.set(value, part));
    return part;
  }

  #selectPart(type: TypeShape, value: object): unknown {
    switch (type.kind) {
      case 'object':
        return Array.isArray(value) ? value : this.#selectFields(type, type.shape, value);
      case 'array':
        return Array.isArray(value) ? this.#selectEntries(type, value, () => type.items) : value;
      case 'tuple':
        return Array.isArray(value) ? this.#selectEntries(type, value, (index) => type.items[Number(index)]) : value;
      case 'record':
        return Array.isArray(value) ? value : this.#selectEntries(type, value, () => type.values);
      case 'oneOf':
      case 'discriminated': {
        const found = this.#options.find(type, value);
        if (found === undefined) return value;
        const { type: option, tag } = found;
        if (tag === undefined || option.kind !== 'object') return this.of(option, value);
        return this.#selectFields(type, option.shape, value, tag.property);
      }
      default:
        return value;
    }
  }

  /** @param discriminator the key that distinguishes the class from others */
  #selectFields(type: TypeShape, shape: ClassShape, value: object, discriminator?: string): object {
    const { byProperty } = createSerialiser('as-is').namesOf(shape.type);
    const isOwn = isInstance(value, shape.type);
    const isDeclared = (key: string): boolean =>
      key === discriminator || (isOwn ? byProperty.has(key) : byProperty.get(key) !== undefined);
    const own = Object.keys(value);
    const kept = own.filter(isDeclared);
    // An entity may have getters in place of properties, and a `toJSON` that does not know the declared class.
    const got = isOwn ? [] : [...byProperty.keys()].filter((key) => !own.includes(key) && key in value);
    const isForeign = got.length > 0 || (!isOwn && 'toJSON' in value);
    const types = new Map(shape.fields.map((field) => [field.property, field.type]));
    const mustCopy = isForeign || kept.length < own.length;
    this.leftOut ||= mustCopy;
    const prototype = isOwn ? (Object.getPrototypeOf(value) as object) : Object.prototype;
    return this.#selectEntries(type, value, (key) => types.get(key), [...kept, ...got], prototype, mustCopy);
  }

  /** Copies the value with these keys, if a copy is needed. */
  #selectEntries(
    type: TypeShape,
    value: object,
    typeOf: (key: string) => TypeShape | undefined,
    keys: readonly string[] = Object.keys(value),
    prototype: object = Array.isArray(value) ? Array.prototype : Object.prototype,
    mustCopy = false,
  ): object {
    const begun: Begun = { prototype, copy: undefined };
    const key = getTypeKey(type);
    this.#begun.set(key, (this.#begun.get(key) ?? new Map<object, Begun>()).set(value, begun));
    let isSame = !mustCopy;
    const parts = keys.map((property): readonly [string, unknown] => {
      const given = (value as Fields)[property];
      const inner = typeOf(property);
      const part = inner === undefined ? given : this.of(inner, given);
      isSame &&= part === given;
      return [property, part];
    });
    if (isSame && begun.copy === undefined) return value;
    const copy = begun.copy ?? createEmptyCopy(prototype);
    for (const [property, part] of parts) setProperty(copy, property, part);
    return copy;
  }
}

function createEmptyCopy(prototype: object): object {
  return prototype === Array.prototype ? [] : (Object.create(prototype) as object);
}
