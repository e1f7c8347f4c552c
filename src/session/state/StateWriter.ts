import { className } from '../../common/classes.js';
import { isObject, isPlainObject } from '../../common/guards.js';
import { setProperty } from '../../common/walkValue.js';
import type { Constructor, JsonValue } from '../../common/types.js';
import { SessionError } from '../../error/infrastructureErrors.js';
import type { DiscriminatedShape, FieldShape, TypeShape } from '../../metadata/ClassShape.js';
import { parseDate } from '../../schema/parse/coerceValue.js';
import { describeExpected } from '../../schema/emit/describeExpected.js';
import { isScalarOf } from '../../schema/rules/isAmong.js';
import { describeKind, tryState } from './stateValues.js';
import { StateClass } from './StateClass.js';
import type { StatePath } from './StatePath.js';
import { StateReader } from './StateReader.js';

const HOLD_DATA = 'Hold plain data: texts, finite numbers, booleans, null, and lists and records of them.';

type Entries = Readonly<Record<string, unknown>>;

/**
 * Writes the values of slices as plain JSON data, and refuses values that could not be read back unchanged: state that changes
 * silently is worse than no state.
 */
export class StateWriter {
  readonly #reader = new StateReader();

  /** Writes an instance of exactly this class, or an equivalent plain object. @throws SessionError E805 */
  writeInstance(type: Constructor, value: unknown, path: StatePath): JsonValue {
    const own = StateClass.require(type, 'E805', path);
    if (!isInstanceOf(type, value) && !isPlainObject(value)) {
      throw this.#createRefusal(path, `expected an instance of exactly ${className(type)}, got ${describeKind(value)}`);
    }
    const written = this.#writeProperties(value as Entries, path, (key, entry, at) => {
      if (own.isHidden(key)) return undefined;
      if (own.isMember(key)) throw this.#createRefusal(at, `a member of ${className(type)} has this name`, HOLD_DATA);
      const field = own.fields.get(key);
      return this.#writeEntry(own, field, entry, at);
    });
    this.#checkAbsent(own, written, path);
    return written;
  }

  /** Checks that absent properties stay absent after reading: they are not required and have no default. */
  #checkAbsent(own: StateClass, written: object, path: StatePath): void {
    const initialOf = own.createInitialReader();
    for (const field of own.fields.values()) {
      if (Object.hasOwn(written, field.property) || own.isHidden(field.property)) continue;
      const at = path.at(field.property);
      if (!own.mayLack(field)) {
        throw this.#createRefusal(
          at,
          `is required: ${describeExpected(field.type)}`,
          'Give it a value, or declare it optional.',
        );
      }
      if (initialOf(field) !== undefined)
        throw this.#createRefusal(
          at,
          'is undefined, and would be read as its default',
          'Give it a value; null is one.',
        );
    }
  }

  #writeEntry(own: StateClass, field: FieldShape | undefined, value: unknown, path: StatePath): JsonValue {
    if (field === undefined) return this.writePlain(value, path);
    return value === null && (field.nullable || own.mayLack(field)) ? null : this.#writeType(field.type, value, path);
  }

  #writeType(type: TypeShape, value: unknown, path: StatePath): JsonValue {
    switch (type.kind) {
      case 'any':
        return this.writePlain(value, path);
      case 'date':
        return this.#writeDate(type, value, path);
      case 'object':
        return this.writeInstance(type.shape.type, value, path);
      case 'array':
        return this.#writeItems(type, value, path, () => type.items);
      case 'tuple':
        if (Array.isArray(value) && value.length !== type.items.length) throw this.#createTypeError(type, value, path);
        return this.#writeItems(type, value, path, (index) => type.items[index] ?? { kind: 'any' });
      case 'record':
        if (!isPlainObject(value)) throw this.#createTypeError(type, value, path);
        return this.#writeProperties(value, path, (_key, entry, at) => this.#writeType(type.values, entry, at));
      case 'oneOf':
        return this.#writeOneOf(type, value, path);
      case 'discriminated':
        return this.#writeDiscriminated(type, value, path);
      default:
        if (!isScalarOf(type, value)) throw this.#createTypeError(type, value, path);
        return value as JsonValue;
    }
  }

  #writeDate(type: TypeShape, value: unknown, path: StatePath): JsonValue {
    const text = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined;
    // ISO 8601 allows the text of a year with five digits only by agreement.
    if (text === undefined || parseDate(text) === undefined) throw this.#createTypeError(type, value, path);
    return text;
  }

  #writeItems(type: TypeShape, value: unknown, path: StatePath, itemType: (index: number) => TypeShape): JsonValue {
    if (!Array.isArray(value)) throw this.#createTypeError(type, value, path);
    this.#requireDepth(path);
    // Not `map`, which would skip the holes of a sparse array.
    return Array.from(value as readonly unknown[], (item, index) =>
      this.#writeType(itemType(index), item, path.at(index)),
    );
  }

  #writeOneOf(type: TypeShape & { readonly kind: 'oneOf' }, value: unknown, path: StatePath): JsonValue {
    for (const [index, option] of type.options.entries()) {
      const written = tryState(() => this.#writeType(option, value, path));
      if (written === undefined) continue;
      if (this.#reader.optionOf(type.options, written.value, path) === index) return written.value;
      throw this.#createRefusal(path, 'would be read as another of the types that its oneOf names');
    }
    throw this.#createTypeError(type, value, path);
  }

  #writeDiscriminated(type: DiscriminatedShape, value: unknown, path: StatePath): JsonValue {
    const named = isPlainObject(value) ? value[type.property] : undefined;
    const subType = type.subTypes.find(({ name, shape }) =>
      named === undefined ? isInstanceOf(shape.type, value) : name === named,
    );
    if (subType === undefined) throw this.#createTypeError(type, value, path);
    const written = this.writeInstance(subType.shape.type, value, path) as Record<string, JsonValue>;
    const stored = Object.hasOwn(written, type.property) ? written[type.property] : undefined;
    if (stored !== undefined && stored !== subType.name) throw this.#createTypeError(type, value, path);
    return { ...written, [type.property]: subType.name };
  }

  /** Writes plain data. @throws SessionError E805 for anything else */
  writePlain(value: unknown, path: StatePath): JsonValue {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (Array.isArray(value)) return this.#writeItems({ kind: 'any' }, value, path, () => ({ kind: 'any' }));
    if (isPlainObject(value))
      return this.#writeProperties(value, path, (_key, entry, at) => this.writePlain(entry, at));
    if (typeof value !== 'object')
      throw this.#createRefusal(path, `${describeKind(value)} cannot be written as JSON`, HOLD_DATA);
    const remedy = 'Declare the property that holds it with @Field({ type }), or hold plain data.';
    throw this.#createRefusal(path, `${describeKind(value)} is in a place that no @Field declares`, remedy);
  }

  /** Writes the own properties that have a value; `write` may leave one out. */
  #writeProperties(
    value: Entries,
    path: StatePath,
    write: (key: string, entry: unknown, at: StatePath) => JsonValue | undefined,
  ): JsonValue & object {
    this.#requireDepth(path);
    const written = {};
    for (const key of Reflect.ownKeys(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key);
      if (property?.enumerable !== true) continue;
      if (typeof key === 'symbol')
        throw this.#createRefusal(path, `the property ${String(key)} has no name in JSON`, HOLD_DATA);
      const at = path.at(key);
      if (!('value' in property))
        throw this.#createRefusal(at, 'is an own getter, which would be read as plain data', HOLD_DATA);
      const entry: unknown = property.value;
      const json = entry === undefined ? undefined : write(key, entry, at);
      if (json !== undefined) setProperty(written, key, json);
    }
    return written;
  }

  #requireDepth(path: StatePath): void {
    if (path.isTooDeep)
      throw this.#createRefusal(
        path,
        'is nested too deeply, or in a circle',
        'Flatten the state, or refer to its parts by ids.',
      );
  }

  #createTypeError(type: TypeShape, value: unknown, path: StatePath): SessionError {
    return this.#createRefusal(
      path,
      `expected ${describeExpected(type)}, got ${describeKind(value)}`,
      'Use a value that the @Field declares, or correct the declaration.',
    );
  }

  #createRefusal(path: StatePath, problem: string, remedy?: string): SessionError {
    return new SessionError(problem, { code: 'E805', place: path.toString(), remedy });
  }
}

function isInstanceOf(type: Constructor, value: unknown): boolean {
  return isObject(value) && Object.getPrototypeOf(value) === type.prototype;
}
