import { className } from '../../common/classes.js';
import { isPlainObject } from '../../common/guards.js';
import { joinBounded } from '../../common/text.js';
import { setProperty } from '../../common/walkValue.js';
import type { Constructor } from '../../common/types.js';
import type { SessionError } from '../../error/infrastructureErrors.js';
import type { Logger } from '../../interface/ports.js';
import type { DiscriminatedShape, FieldShape, TypeShape } from '../../metadata/ClassShape.js';
import { parseDate } from '../../schema/parse/coerceValue.js';
import { isPrototypeKey } from '../../schema/limits.js';
import { describeExpected } from '../../schema/emit/describeExpected.js';
import { isScalarOf } from '../../schema/rules/isAmong.js';
import { createUnreadableError, describeKind, tryState } from './stateValues.js';
import { StateClass } from './StateClass.js';
import type { StatePath } from './StatePath.js';

/** Classes that the log already reports as read unchecked: a server reads the same ones for each request. */
const reported = new WeakSet<Constructor>();

/**
 * Reads the values of slices written by `StateWriter`. Checks the types that properties declare, and logs the other properties;
 * does not check rules, since that happened when the values entered the session.
 */
export class StateReader {
  readonly #logger: Logger | undefined;

  constructor(logger?: Logger) {
    this.#logger = logger;
  }

  /**
   * Reads an instance of exactly this class. Runs no constructor, since it may need arguments.
   *
   * @throws SessionError E806
   */
  readInstance(type: Constructor, json: unknown, path: StatePath): object {
    const own = StateClass.require(type, 'E806', path);
    const source = this.#requireObject(json, path, `an object for ${className(type)}`);
    const instance = Object.create(type.prototype as object) as object;
    for (const [key, entry] of Object.entries(source)) {
      const at = path.at(key);
      if (own.isMember(key)) throw createUnreadableError(at, `a member of ${className(type)} has this name`);
      const field = own.fields.get(key);
      setProperty(instance, key, this.#readEntry(own, field, entry, at));
    }
    const initialOf = own.createInitialReader();
    for (const field of own.fields.values()) {
      if (Object.hasOwn(instance, field.property)) continue;
      if (!own.mayLack(field))
        throw createUnreadableError(path.at(field.property), `is required: ${describeExpected(field.type)}`);
      const initial = initialOf(field);
      if (initial !== undefined) setProperty(instance, field.property, initial);
    }
    this.#reportUnchecked(own, Object.keys(source));
    return instance;
  }

  /** Warns of properties without a declared type. An initial value does not tell the type: `owner = ''` may hold a list later. */
  #reportUnchecked({ type, fields }: StateClass, keys: readonly string[]): void {
    const unchecked = keys.filter((key) => !fields.has(key));
    if (this.#logger === undefined || unchecked.length === 0 || reported.has(type)) return;
    reported.add(type);
    this.#logger.warn(
      `state read from JSON: the types of ${joinBounded(unchecked)} of ${className(type)} are not checked, since no @Field declares them. Declare them, or read only JSON that you wrote.`,
      { type: className(type), unchecked },
    );
  }

  /** Returns the index of the first type that the value matches, which is the type it is read as; -1 if there is none. */
  optionOf(options: readonly TypeShape[], json: unknown, path: StatePath): number {
    return options.findIndex((option) => tryState(() => this.#readType(option, json, path)) !== undefined);
  }

  #readEntry(own: StateClass, field: FieldShape | undefined, json: unknown, path: StatePath): unknown {
    if (field === undefined) return this.readPlain(json, path);
    return json === null && (field.nullable || own.mayLack(field)) ? null : this.#readType(field.type, json, path);
  }

  #readType(type: TypeShape, json: unknown, path: StatePath): unknown {
    switch (type.kind) {
      case 'any':
        return this.readPlain(json, path);
      case 'date': {
        const date = typeof json === 'string' ? parseDate(json) : undefined;
        if (date === undefined) throw this.#createTypeError(type, json, path);
        return date;
      }
      case 'object':
        return this.readInstance(type.shape.type, json, path);
      case 'array':
        return this.#readItems(type, json, path, () => type.items);
      case 'tuple':
        if (Array.isArray(json) && json.length !== type.items.length) throw this.#createTypeError(type, json, path);
        return this.#readItems(type, json, path, (index) => type.items[index] ?? { kind: 'any' });
      case 'record':
        return this.#readRecord(json, path, (entry, at) => this.#readType(type.values, entry, at));
      case 'oneOf':
        return this.#readOneOf(type, json, path);
      case 'discriminated':
        return this.#readDiscriminated(type, json, path);
      default:
        if (!isScalarOf(type, json)) throw this.#createTypeError(type, json, path);
        return json;
    }
  }

  #readItems(type: TypeShape, json: unknown, path: StatePath, itemType: (index: number) => TypeShape): unknown {
    if (!Array.isArray(json)) throw this.#createTypeError(type, json, path);
    this.#requireDepth(path);
    return (json as readonly unknown[]).map((item, index) => this.#readType(itemType(index), item, path.at(index)));
  }

  #readRecord(json: unknown, path: StatePath, read: (entry: unknown, at: StatePath) => unknown): object {
    const record = {};
    for (const [key, entry] of Object.entries(this.#requireObject(json, path, 'an object'))) {
      const at = path.at(key);
      if (isPrototypeKey(key)) throw createUnreadableError(at, 'is not a possible key of a map');
      setProperty(record, key, read(entry, at));
    }
    return record;
  }

  #readOneOf(type: TypeShape & { readonly kind: 'oneOf' }, json: unknown, path: StatePath): unknown {
    for (const option of type.options) {
      const read = tryState(() => this.#readType(option, json, path));
      if (read !== undefined) return read.value;
    }
    throw this.#createTypeError(type, json, path);
  }

  #readDiscriminated({ property, subTypes, keep }: DiscriminatedShape, json: unknown, path: StatePath): unknown {
    const { [property]: name, ...rest } = this.#requireObject(json, path, 'an object');
    const subType = subTypes.find((candidate) => candidate.name === name);
    if (subType === undefined) {
      const names = subTypes.map((candidate) => JSON.stringify(candidate.name)).join(', ');
      throw createUnreadableError(path.at(property), `expected one of ${names}, got ${describeKind(name)}`);
    }
    const { shape } = subType;
    return this.readInstance(shape.type, keep || shape.byWireName.has(property) ? json : rest, path);
  }

  /** Reads plain data, as a copy: objects of the caller must not be frozen. @throws SessionError E806 */
  readPlain(json: unknown, path: StatePath): unknown {
    if (json === null || typeof json === 'string' || typeof json === 'boolean' || Number.isFinite(json)) return json;
    if (Array.isArray(json)) return this.#readItems({ kind: 'any' }, json, path, () => ({ kind: 'any' }));
    return this.#readRecord(json, path, (entry, at) => this.readPlain(entry, at));
  }

  #requireObject(json: unknown, path: StatePath, expected: string): Readonly<Record<string, unknown>> {
    if (!isPlainObject(json)) throw createUnreadableError(path, `expected ${expected}, got ${describeKind(json)}`);
    this.#requireDepth(path);
    return json;
  }

  #requireDepth(path: StatePath): void {
    if (path.isTooDeep) throw createUnreadableError(path, 'is nested too deeply');
  }

  #createTypeError(type: TypeShape, json: unknown, path: StatePath): SessionError {
    return createUnreadableError(path, `expected ${describeExpected(type)}, got ${describeKind(json)}`);
  }
}
