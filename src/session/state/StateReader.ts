import { className } from '../../common/classes.js';
import { listed } from '../../common/text.js';
import type { Constructor } from '../../common/types.js';
import { SessionError } from '../../error/infrastructureErrors.js';
import type { Logger } from '../../interface/Logger.js';
import type { DiscriminatedShape, FieldShape, TypeShape } from '../../metadata/ClassShape.js';
import { dateOf } from '../../schema/parse/dates.js';
import { isPrototypeKey } from '../../schema/limits.js';
import { expectedText } from '../../schema/emit/typeText.js';
import { define, isPlainObject, kindText } from './plainData.js';
import { isScalarOf } from '../slice/isScalarOf.js';
import { StateClass } from './StateClass.js';
import type { StatePath } from './StatePath.js';

/** Classes of which the log says already that they are read unchecked: a server reads the same ones with each request. */
const reported = new WeakSet<Constructor>();

/**
 * Reads the values of slices written by `StateWriter`. Types are checked where properties declare them, and the log names the
 * others; rules are not, since they were checked when the values entered the session.
 */
export class StateReader {
  readonly #logger: Logger | undefined;

  constructor(logger?: Logger) {
    this.#logger = logger;
  }

  /**
   * Reads an instance of exactly the class. No constructor runs, since it may need arguments.
   *
   * @throws SessionError E806
   */
  instance(type: Constructor, json: unknown, path: StatePath): object {
    const own = this.#classOf(type, path);
    const source = this.#object(json, path, `an object for ${className(type)}`);
    const instance = Object.create(type.prototype as object) as object;
    for (const [key, entry] of Object.entries(source)) {
      const at = path.at(key);
      if (own.isMember(key)) throw this.#refusal(at, `a member of ${className(type)} has this name`);
      const field = own.fields.get(key);
      define(instance, key, this.#entry(own, field, entry, at));
    }
    const initialOf = own.initials();
    for (const field of own.fields.values()) {
      if (Object.hasOwn(instance, field.property)) continue;
      if (!own.mayLack(field)) throw this.#refusal(path.at(field.property), `is required: ${expectedText(field.type)}`);
      const initial = initialOf(field);
      if (initial !== undefined) define(instance, field.property, initial);
    }
    this.#reportUnchecked(own, Object.keys(source));
    return instance;
  }

  /** Reads plain data, as a copy. @throws SessionError E806 */
  plain(json: unknown, path: StatePath): unknown {
    return this.#plain(json, path);
  }

  /** An initial value would not tell the type: `owner = ''` may hold a list later. */
  #reportUnchecked({ type, fields }: StateClass, keys: readonly string[]): void {
    const unchecked = keys.filter((key) => !fields.has(key));
    if (this.#logger === undefined || unchecked.length === 0 || reported.has(type)) return;
    reported.add(type);
    this.#logger.warn(
      `state read from JSON: the types of ${listed(unchecked)} of ${className(type)} are not checked, since no @Field declares them. Declare them, or read only JSON that you wrote.`,
      { type: className(type), unchecked },
    );
  }

  /** The index of the type that the value is read as: the first that fits; -1 if none does. */
  optionOf(options: readonly TypeShape[], json: unknown, path: StatePath): number {
    return options.findIndex((option) => this.#attempt(option, json, path) !== undefined);
  }

  #entry(own: StateClass, field: FieldShape | undefined, json: unknown, path: StatePath): unknown {
    if (field === undefined) return this.#plain(json, path);
    return json === null && (field.nullable || own.mayLack(field)) ? null : this.#type(field.type, json, path);
  }

  #type(type: TypeShape, json: unknown, path: StatePath): unknown {
    switch (type.kind) {
      case 'any':
        return this.#plain(json, path);
      case 'date': {
        const date = typeof json === 'string' ? dateOf(json) : undefined;
        if (date === undefined) throw this.#wrong(type, json, path);
        return date;
      }
      case 'object':
        return this.instance(type.shape.type, json, path);
      case 'array':
        return this.#items(type, json, path, () => type.items);
      case 'tuple':
        if (Array.isArray(json) && json.length !== type.items.length) throw this.#wrong(type, json, path);
        return this.#items(type, json, path, (index) => type.items[index] ?? { kind: 'any' });
      case 'record':
        return this.#record(json, path, (entry, at) => this.#type(type.values, entry, at));
      case 'oneOf':
        return this.#oneOf(type, json, path);
      case 'discriminated':
        return this.#discriminated(type, json, path);
      default:
        if (!isScalarOf(type, json)) throw this.#wrong(type, json, path);
        return json;
    }
  }

  #items(type: TypeShape, json: unknown, path: StatePath, itemType: (index: number) => TypeShape): unknown {
    if (!Array.isArray(json)) throw this.#wrong(type, json, path);
    this.#descend(path);
    return (json as readonly unknown[]).map((item, index) => this.#type(itemType(index), item, path.at(index)));
  }

  #record(json: unknown, path: StatePath, read: (entry: unknown, at: StatePath) => unknown): object {
    const record = {};
    for (const [key, entry] of Object.entries(this.#object(json, path, 'an object'))) {
      const at = path.at(key);
      if (isPrototypeKey(key)) throw this.#refusal(at, 'is not a possible key of a map');
      define(record, key, read(entry, at));
    }
    return record;
  }

  #oneOf(type: TypeShape & { readonly kind: 'oneOf' }, json: unknown, path: StatePath): unknown {
    for (const option of type.options) {
      const read = this.#attempt(option, json, path);
      if (read !== undefined) return read.value;
    }
    throw this.#wrong(type, json, path);
  }

  #discriminated({ property, subTypes, keep }: DiscriminatedShape, json: unknown, path: StatePath): unknown {
    const { [property]: name, ...rest } = this.#object(json, path, 'an object');
    const subType = subTypes.find((candidate) => candidate.name === name);
    if (subType === undefined) {
      const names = subTypes.map((candidate) => JSON.stringify(candidate.name)).join(', ');
      throw this.#refusal(path.at(property), `expected one of ${names}, got ${kindText(name)}`);
    }
    const { shape } = subType;
    return this.instance(shape.type, keep || shape.byWireName.has(property) ? json : rest, path);
  }

  /** Copies plain data, since objects of the caller must not be frozen. */
  #plain(json: unknown, path: StatePath): unknown {
    if (json === null || typeof json === 'string' || typeof json === 'boolean' || Number.isFinite(json)) return json;
    if (Array.isArray(json)) return this.#items({ kind: 'any' }, json, path, () => ({ kind: 'any' }));
    return this.#record(json, path, (entry, at) => this.#plain(entry, at));
  }

  #object(json: unknown, path: StatePath, expected: string): Readonly<Record<string, unknown>> {
    if (!isPlainObject(json)) throw this.#refusal(path, `expected ${expected}, got ${kindText(json)}`);
    this.#descend(path);
    return json;
  }

  #descend(path: StatePath): void {
    if (path.isTooDeep) throw this.#refusal(path, 'is nested too deeply');
  }

  #classOf(type: Constructor, path: StatePath): StateClass {
    const own = StateClass.of(type);
    if (own.obstacle === undefined) return own;
    const { problem, cause } = own.obstacle;
    throw new SessionError(`${className(type)} ${problem}`, { code: 'E806', place: path.toString(), cause });
  }

  /** Reads a value of the type, wrapped, since it may itself be undefined; undefined if it does not fit. */
  #attempt(type: TypeShape, json: unknown, path: StatePath): { readonly value: unknown } | undefined {
    try {
      return { value: this.#type(type, json, path) };
    } catch (error) {
      if (SessionError.is(error)) return undefined;
      throw error;
    }
  }

  #wrong(type: TypeShape, json: unknown, path: StatePath): SessionError {
    return this.#refusal(path, `expected ${expectedText(type)}, got ${kindText(json)}`);
  }

  #refusal(path: StatePath, problem: string): SessionError {
    return new SessionError(problem, { code: 'E806', place: path.toString() });
  }
}
