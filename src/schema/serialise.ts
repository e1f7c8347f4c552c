import { isClass, classChain } from '../common/classes.js';
import { snakeCase } from '../common/naming.js';
import type { Constructor } from '../common/types.js';
import { knownArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { FieldShape, TypeShape } from '../metadata/ClassShape.js';
import { exposesOnlyMarked, transformerNotes, transformerProperties } from './classTransformer.js';
import type { FieldNames } from './ShapeReader.js';

/** Options of writing values. */
export interface DumpOptions {
  /** Leaves out properties of class instances that are `null` or `undefined`; plain records keep them. */
  readonly excludeNone?: boolean | undefined;
  /** The declared type; with it, plain rows are written like instances of its classes. */
  readonly type?: TypeShape | undefined;
}

type Plain = string | number | boolean | null | undefined | Plain[] | { [key: string]: Plain };

/**
 * Writes any value as plain JSON data: class instances by their wire names without `@Exclude`d properties and with exposed
 * getters; instances of other classes by their `toJSON`, if they have one; cycles, BigInt, Map, Set, Error and Date in defined
 * forms (docs/contract.md, 5). Never throws.
 */
export class Serialiser {
  readonly #fieldNames: FieldNames;
  // Weak, so that classes of tests and of reloaded modules can be collected.
  readonly #names = new WeakMap<Constructor, Names>();

  constructor(fieldNames: FieldNames = 'as-is') {
    this.#fieldNames = fieldNames;
  }

  /** The value as compact JSON; a string unchanged. */
  toJson(value: unknown, options: DumpOptions = {}): string {
    if (options.type === undefined && isPlainJson(value, 0)) return JSON.stringify(value);
    const plain = this.toPlain(value, options);
    return typeof plain === 'string' ? plain : JSON.stringify(plain);
  }

  toPlain(value: unknown, options: DumpOptions = {}): unknown {
    return this.#write(value, { excludeNone: options.excludeNone === true, ancestors: [] }, options.type);
  }

  #write(value: unknown, place: Place, type?: TypeShape): Plain {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'undefined':
        return undefined;
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'bigint':
        return value.toString();
      case 'symbol':
        return value.toString();
      case 'function':
        return '[function]';
      case 'object':
        return value === null ? null : this.#object(value, place, type);
    }
  }

  #object(value: object, { excludeNone, ancestors }: Place, type: TypeShape | undefined): Plain {
    if (ancestors.includes(value)) return '[circular]';
    if (ancestors.length >= DEEPEST) return '[nested too deeply]';
    const inside: Place = { excludeNone, ancestors: [...ancestors, value] };
    try {
      if (Array.isArray(value))
        return value.map((item, index) => this.#write(item, inside, itemType(type, index)) ?? null);
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
      if (value instanceof Error) return { name: value.name, message: value.message };
      if (value instanceof Map)
        return [...value].map(([key, entry]) => [this.#write(key, inside) ?? null, this.#write(entry, inside) ?? null]);
      if (value instanceof Set) return [...value].map((item) => this.#write(item, inside) ?? null);
      if (ArrayBuffer.isView(value)) return `[${value.constructor.name}: ${String(value.byteLength)} bytes]`;
      return this.#record(value, inside, type);
    } catch {
      // A revoked proxy throws on any access.
      return UNREADABLE;
    }
  }

  #record(value: object, inside: Place, type: TypeShape | undefined): Plain {
    const plain: Record<string, Plain> = {};
    const maker: unknown = value.constructor;
    const isInstance = isClass(maker) && maker !== Object;
    const declared = isInstance ? maker : type?.kind === 'object' ? type.shape.type : undefined;
    const names = declared === undefined ? undefined : this.namesOf(declared);
    const known = names?.byProperty;
    if (known?.size === 0 && isInstance) {
      const json = ownJson(value);
      if (json !== value) return this.#write(json, inside);
    }
    const own = Object.keys(value);
    const properties = known === undefined || known.size === 0 ? own : new Set([...known.keys(), ...own]);
    for (const property of properties) {
      const name =
        known?.has(property) === true ? known.get(property) : names?.onlyThese === true ? undefined : property;
      if (name === undefined) continue;
      const written = this.#entry(value, property, inside, type);
      if (written === undefined || (written === null && isInstance && inside.excludeNone)) continue;
      // An assignment to "__proto__" would set the prototype.
      if (name === '__proto__') Object.defineProperty(plain, name, { value: written, enumerable: true });
      else plain[name] = written;
    }
    return plain;
  }

  #entry(owner: object, property: string, inside: Place, type: TypeShape | undefined): Plain {
    try {
      const entry = (owner as Readonly<Record<string, unknown>>)[property];
      return this.#write(entry, inside, entryType(type, property));
    } catch {
      return UNREADABLE;
    }
  }

  /** The declared properties and exposed getters of a class with their wire names; undefined for those that are excluded. */
  namesOf(type: Constructor): Names {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const byProperty = new Map<string, string | undefined>();
    const declared = [...classChain(type)].reverse().flatMap((owner) => knownArgs(owner)?.properties ?? []);
    const options = new Map(declared.map((args) => [args.property, args.options]));
    const noted = transformerProperties(type);
    for (const property of [...options.keys(), ...noted]) {
      const { hiddenOutput, exposedName } = transformerNotes(type, property);
      const derived = this.#fieldNames === 'snake_case' && options.has(property) ? snakeCase(property) : property;
      const { name, internal = false } = options.get(property) ?? {};
      byProperty.set(property, hiddenOutput || internal ? undefined : (name ?? exposedName ?? derived));
    }
    const names = { byProperty, onlyThese: exposesOnlyMarked(type) };
    this.#names.set(type, names);
    return names;
  }
}

const serialisers = new Map<FieldNames, Serialiser>();

/** Returns the serialiser that writes by these names: one for all, since it remembers the names of each class. */
export function serialiserOf(fieldNames: FieldNames): Serialiser {
  const serialiser = serialisers.get(fieldNames) ?? new Serialiser(fieldNames);
  serialisers.set(fieldNames, serialiser);
  return serialiser;
}

/** The result of the `toJSON` of an instance of a class without declarations, such as a URL or a decimal. */
function ownJson(value: { readonly toJSON?: unknown }): unknown {
  return typeof value.toJSON === 'function' ? (value.toJSON as () => unknown).call(value) : value;
}

/** The wire names of the properties of a class; undefined for properties that are left out. */
export interface Names {
  readonly byProperty: ReadonlyMap<string, string | undefined>;
  /** True if all other properties are left out as well. */
  readonly onlyThese: boolean;
}

interface Place {
  readonly excludeNone: boolean;
  readonly ancestors: readonly object[];
}

const UNREADABLE = '[value that cannot be read]';
const DEEPEST = 64;
const DEEPEST_PLAIN = 32;

function itemType(type: TypeShape | undefined, index: number): TypeShape | undefined {
  return type?.kind === 'array' ? type.items : type?.kind === 'tuple' ? type.items[index] : undefined;
}

function entryType(type: TypeShape | undefined, property: string): TypeShape | undefined {
  if (type?.kind === 'record') return type.values;
  return type?.kind === 'object' ? type.shape.fields.find((field) => field.property === property)?.type : undefined;
}

const renaming = new WeakMap<TypeShape, boolean>();

/** True if values of the type are not written as they are: a class in it renames a property, or has conversions or conditions. */
export function needsType(type: TypeShape): boolean {
  const known = renaming.get(type);
  if (known !== undefined) return known;
  renaming.set(type, false);
  const found =
    innerTypes(type).some(needsType) ||
    (type.kind === 'object' && (type.shape.fullPath !== undefined || type.shape.fields.some(renames)));
  renaming.set(type, found);
  return found;
}

function renames({ property, wireName }: FieldShape): boolean {
  return property !== wireName;
}

function innerTypes(type: TypeShape): readonly TypeShape[] {
  switch (type.kind) {
    case 'array':
      return [type.items];
    case 'record':
      return [type.values];
    case 'tuple':
      return type.items;
    case 'oneOf':
      return type.options;
    case 'object':
      return type.shape.fields.map((field) => field.type);
    case 'discriminated':
      return type.subTypes.map(({ shape }) => ({ kind: 'object', shape }));
    default:
      return [];
  }
}

/** True for values that JSON.stringify writes exactly as `toPlain` would, which need no copy: most results are such. */
function isPlainJson(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
      return depth > 0;
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || (depth < DEEPEST_PLAIN && isPlainContainer(value, depth + 1));
    default:
      return false;
  }
}

function isPlainContainer(value: object, depth: number): boolean {
  try {
    if (Array.isArray(value)) return value.every((item) => isPlainJson(item, depth));
    if (Object.getPrototypeOf(value) !== Object.prototype) return false;
    for (const key in value) {
      if (key === 'toJSON' || !isPlainJson((value as Readonly<Record<string, unknown>>)[key], depth)) return false;
    }
    return true;
  } catch {
    return false;
  }
}
