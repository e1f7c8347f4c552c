import { isInstance } from '../common/classes.js';
import type { ClassShape, TypeShape } from '../metadata/ClassShape.js';
import { resultIssues } from './conform.js';
import { serialiserOf } from './serialise.js';

/**
 * Returns a result without the properties that its declared type does not have, such as the other columns of a row; the same
 * value if it has none. Instances of the declared classes keep their class.
 */
export function declaredPart(type: TypeShape, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  switch (type.kind) {
    case 'object':
      return ofClass(type.shape, value);
    case 'array':
      return Array.isArray(value) ? mapped(value, () => type.items) : value;
    case 'tuple':
      return Array.isArray(value) ? mapped(value, (index) => type.items[index]) : value;
    case 'record':
      return entries(value, Object.keys(value), () => type.values);
    case 'discriminated': {
      const found = type.subTypes.find(({ shape }) => resultIssues({ kind: 'object', shape }, value).length === 0);
      return found === undefined ? value : ofClass(found.shape, value, type.property);
    }
    case 'oneOf': {
      const found = type.options.find((option) => resultIssues(option, value).length === 0);
      return found === undefined ? value : declaredPart(found, value);
    }
    default:
      return value;
  }
}

function mapped(values: readonly unknown[], typeAt: (index: number) => TypeShape | undefined): readonly unknown[] {
  const parts = values.map((item, index) => {
    const type = typeAt(index);
    return type === undefined ? item : declaredPart(type, item);
  });
  return parts.every((part, index) => part === values[index]) ? values : parts;
}

/** @param discriminator the key that tells the class from others */
function ofClass({ type, fields }: ClassShape, value: object, discriminator?: string): object {
  const { byProperty } = serialiserOf('as-is').namesOf(type);
  const isOwn = isInstance(value, type);
  const isDeclared = (key: string): boolean =>
    key === discriminator || (isOwn ? byProperty.has(key) : byProperty.get(key) !== undefined);
  const own = Object.keys(value);
  const kept = own.filter(isDeclared);
  // An entity may have getters in place of properties, and a toJSON that knows nothing of the declared class.
  const got = isOwn ? [] : [...byProperty.keys()].filter((key) => !own.includes(key) && key in value);
  const isForeign = got.length > 0 || (!isOwn && 'toJSON' in value);
  const types = new Map(fields.map((field) => [field.property, field.type]));
  return entries(value, [...kept, ...got], (key) => types.get(key), {
    mustCopy: isForeign || kept.length < own.length,
    prototype: isOwn ? (Object.getPrototypeOf(value) as object) : Object.prototype,
  });
}

interface CopyRules {
  readonly mustCopy: boolean;
  readonly prototype: object;
}

const PLAIN: CopyRules = { mustCopy: false, prototype: Object.prototype };

/** Returns a copy with these keys if there is a need for one. */
function entries(
  value: object,
  keys: readonly string[],
  typeOf: (key: string) => TypeShape | undefined,
  { mustCopy, prototype }: CopyRules = PLAIN,
): object {
  let isSame = !mustCopy;
  const parts = keys.map((key): readonly [string, unknown] => {
    const given = (value as Readonly<Record<string, unknown>>)[key];
    const type = typeOf(key);
    const part = type === undefined ? given : declaredPart(type, given);
    isSame &&= part === given;
    return [key, part];
  });
  if (isSame) return value;
  const copy = Object.create(prototype) as object;
  // A setter of the class must not run, and an assignment to "__proto__" would set the prototype.
  for (const [key, part] of parts)
    Object.defineProperty(copy, key, { value: part, enumerable: true, writable: true, configurable: true });
  return copy;
}
