import type { Fields } from '../../common/guards.js';
import { isClass, isInstance } from '../../common/classes.js';
import { measureJson } from '../../common/measureJson.js';
import {
  MAX_REPEATED_OBJECTS,
  MAX_WRITTEN_CHARS,
  MAX_WRITTEN_ENTRIES,
  MAX_WRITTEN_LEVELS,
} from '../../common/limits.js';
import { cut } from '../../common/text.js';
import type { Constructor } from '../../common/types.js';
import { getOrCreate } from '../../common/memoize.js';
import type { ClassShape, FieldShape, TypeShape } from '../../metadata/ClassShape.js';
import { isAbsent } from '../rules/defaults.js';
import { OptionFinder, type FoundOption } from '../read/OptionFinder.js';
import { findBuiltInForm, findEmptyForm, findUnfinishedKind } from './builtInForms.js';

type Plain = string | number | boolean | null | undefined | Plain[] | { [key: string]: Plain };

/** The wire names of the properties of a class; undefined for properties that are omitted. */
export interface Names {
  readonly byProperty: ReadonlyMap<string, string | undefined>;
  /** True if all other properties are omitted as well. */
  readonly onlyThese: boolean;
  /** Properties that are declared nullable and have another default. */
  readonly nullable: ReadonlySet<string>;
}

const UNREADABLE = '[value that cannot be read]';
/** Limits below which a value counts as small. */
const SMALL_ENTRIES = 20_000;
const SMALL_CHARACTERS = 1_000_000;
/** Shorter texts are never cut. */
const SHORT = 40;

/** Options for writing values. */
export interface DumpOptions {
  /** Omits properties of class instances that are `null` or `undefined`; plain records keep them. */
  readonly excludeNone?: boolean | undefined;
  /** Keeps the `null` of properties that are declared nullable, unless it is their default; overrides `excludeNone`. */
  readonly keepNullable?: boolean | undefined;
  /** The declared type; with it, plain rows are written like instances of its classes. */
  readonly type?: TypeShape | undefined;
  /** Omits undeclared keys, and nulls that mean an absent value, so that the result matches the schema of the declared type. */
  readonly declaredOnly?: boolean | undefined;
}

/**
 * Writes one value and counts its parts. Writes an object again each time it occurs, but only up to a limit, since objects that
 * hold the next one twice, level by level, would never end.
 */
export class PlainWriter {
  /** Characters that were counted but not kept. */
  left = 0;
  /** False if there were more entries than are counted. */
  isWhole = true;
  /** How many entries of a list or an object were not kept; its last entry says so. */
  readonly ended = new Map<object, number>();
  readonly #options: DumpOptions;
  readonly #mostEntries: number;
  readonly #namesOf: (type: Constructor) => Names;
  readonly #ancestors: object[] = [];
  readonly #written = new Set<object>();
  readonly #finder = new OptionFinder();
  #repeats = MAX_REPEATED_OBJECTS;
  #entries = MAX_WRITTEN_ENTRIES;
  #keyCharacters = 0;
  #characters = MAX_WRITTEN_CHARS;

  /** @param mostEntries of a list or an object to keep; further ones are only counted, so that they are never copied */
  constructor(options: DumpOptions, mostEntries: number, namesOf: (type: Constructor) => Names) {
    this.#options = options;
    this.#mostEntries = mostEntries;
    this.#namesOf = namesOf;
  }

  /** True if the value is so small that its length can be measured by writing its JSON. */
  get isSmall(): boolean {
    const characters = MAX_WRITTEN_CHARS - this.#characters + this.#keyCharacters;
    return (
      this.ended.size === 0 && this.#entries > MAX_WRITTEN_ENTRIES - SMALL_ENTRIES && characters < SMALL_CHARACTERS
    );
  }

  of(value: unknown, type?: TypeShape): Plain {
    switch (typeof value) {
      case 'string':
        return this.#writeText(value);
      case 'boolean':
        return value;
      case 'undefined':
        return undefined;
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'bigint':
        return this.#writeText(value.toString());
      case 'symbol':
        return value.toString();
      case 'function':
        return '[function]';
      case 'object':
        return value === null ? null : this.#writeObject(value, type);
    }
  }

  #writeText(text: string): string {
    if (text.length <= this.#characters || text.length <= SHORT) {
      this.#characters -= text.length;
      return text;
    }
    const shown = cut(text, Math.max(this.#characters, SHORT));
    this.#characters -= shown.length;
    const written = `${shown}… (${String(text.length)} characters)`;
    this.left += text.length - written.length;
    return written;
  }

  #writeObject(value: object, type: TypeShape | undefined): Plain {
    if (this.#ancestors.includes(value)) return '[circular]';
    if (this.#ancestors.length >= MAX_WRITTEN_LEVELS) return '[nested too deeply]';
    if (this.#written.has(value)) {
      if (this.#repeats === 0) return '[repeated]';
      this.#repeats--;
    } else this.#written.add(value);
    this.#ancestors.push(value);
    try {
      const isUnion = type?.kind === 'oneOf' || type?.kind === 'discriminated';
      const found = isUnion ? this.#finder.find(type, value) : undefined;
      const option = isUnion ? found?.type : type;
      if (Array.isArray(value)) return this.#writeList(value, option);
      return this.#writeRecord(value, option, found?.tag);
    } catch {
      // A revoked proxy throws on any access.
      return UNREADABLE;
    } finally {
      this.#ancestors.pop();
    }
  }

  #writeList(items: readonly unknown[], type: TypeShape | undefined): Plain {
    const plain: Plain[] = [];
    // Unlike `map`, stops early for a sparse list with a huge length.
    for (let index = 0; index < items.length; index++) {
      if (--this.#entries < 0) {
        this.isWhole = false;
        break;
      }
      const item = this.of(items[index], getItemType(type, index)) ?? null;
      if (index < this.#mostEntries) plain.push(item);
      else this.left += measureJson(item) + 1;
    }
    const more = items.length - plain.length;
    if (more > 0) plain.push(...this.#writeEnd(plain, [`… ${String(more)} more items`], more));
    return plain;
  }

  /** Records that a list or an object ends early; the entry that says so does not count towards the length. */
  #writeEnd<T>(plain: object, mark: T, more: number): T {
    this.ended.set(plain, more);
    this.left -= measureJson(mark) - 1;
    return mark;
  }

  #writeRecord(value: object, type: TypeShape | undefined, tag: FoundOption['tag']): Plain {
    const maker: unknown = value.constructor;
    const isOfClass = isClass(maker) && maker !== Object;
    const form = isOfClass ? findBuiltInForm(value) : undefined;
    if (form !== undefined) return this.of(form.form);
    const shape = type?.kind === 'object' ? type.shape : undefined;
    // An instance of another class, such as an entity, counts as a row of the declared one.
    const declared = isOfClass && (shape === undefined || isInstance(value, shape.type)) ? maker : shape?.type;
    const names = declared === undefined ? undefined : this.#namesOf(declared);
    const known = names === undefined || names.byProperty.size === 0 ? undefined : names.byProperty;
    if (known === undefined) {
      const kind = findUnfinishedKind(value);
      if (kind !== undefined) return `[${kind}]`;
      const json = isOfClass ? readOwnJson(value) : value;
      if (json !== value) return this.of(json);
    }
    const own = Object.keys(value);
    if (own.length === 0 && known === undefined) {
      const standIn = findEmptyForm(value);
      if (standIn !== undefined) return this.of(standIn.form);
    }
    const properties = known === undefined ? own : [...new Set([...known.keys(), ...own])];
    return this.#writeProperties(value, { type, tag, properties, names });
  }

  #writeProperties(value: object, { type, tag, properties, names }: RecordPlan): Plain {
    const plain: Record<string, Plain> = tag === undefined ? {} : { [tag.property]: tag.name };
    const fields = type?.kind === 'object' ? mapFields(type.shape) : undefined;
    let [kept, more] = [0, 0];
    for (const [index, property] of properties.entries()) {
      const name = chooseName(names, property);
      const field = fields?.get(property);
      const isLeftOut = this.#options.declaredOnly === true && fields !== undefined && field === undefined;
      if (name === undefined || isLeftOut) continue;
      this.#keyCharacters += name.length;
      if (--this.#entries < 0) {
        this.isWhole = false;
        more += properties.length - index;
        break;
      }
      const written = this.#writeEntry(value, property, type?.kind === 'record' ? type.values : field?.type);
      if (written === undefined || (written === null && this.#isAbsent(value, field, names?.nullable.has(property))))
        continue;
      if (++kept > this.#mostEntries) {
        more++;
        this.left += measureJson(name) + measureJson(written) + 2;
        continue;
      }
      // An assignment to "__proto__" would set the prototype.
      if (name === '__proto__') Object.defineProperty(plain, name, { value: written, enumerable: true });
      else plain[name] = written;
    }
    if (more > 0) Object.assign(plain, this.#writeEnd(plain, { '…': `${String(more)} more keys` }, more));
    return plain;
  }

  #isAbsent(owner: object, field: FieldShape | undefined, isNullable = false): boolean {
    const { excludeNone = false, keepNullable = false, declaredOnly = false } = this.#options;
    if (declaredOnly && field !== undefined && isAbsent(field, null)) return true;
    const isKept = field === undefined ? isNullable : field.nullable && field.default?.value !== null;
    if (keepNullable && isKept) return false;
    return excludeNone && owner.constructor !== Object && isClass(owner.constructor);
  }

  #writeEntry(owner: object, property: string, type: TypeShape | undefined): Plain {
    try {
      return this.of((owner as Fields)[property], type);
    } catch {
      return UNREADABLE;
    }
  }
}

interface RecordPlan {
  readonly type: TypeShape | undefined;
  /** The key and name that distinguish the object's class within a union. */
  readonly tag: FoundOption['tag'];
  readonly properties: readonly string[];
  readonly names: Names | undefined;
}

/** Returns the name to write a property under; undefined if it is omitted. */
function chooseName(names: Names | undefined, property: string): string | undefined {
  if (names?.byProperty.has(property) === true) return names.byProperty.get(property);
  return names?.onlyThese === true ? undefined : property;
}

const fieldsByShape = new WeakMap<ClassShape, ReadonlyMap<string, FieldShape>>();

function mapFields(shape: ClassShape): ReadonlyMap<string, FieldShape> {
  return getOrCreate(fieldsByShape, shape, createFieldMap);
}

function createFieldMap({ fields }: ClassShape): ReadonlyMap<string, FieldShape> {
  return new Map(fields.map((field) => [field.property, field]));
}

/** Returns the result of `toJSON` for an instance of a class without declarations, such as a URL or a decimal. */
function readOwnJson(value: { readonly toJSON?: unknown }): unknown {
  return typeof value.toJSON === 'function' ? (value.toJSON as () => unknown).call(value) : value;
}

function getItemType(type: TypeShape | undefined, index: number): TypeShape | undefined {
  return type?.kind === 'array' ? type.items : type?.kind === 'tuple' ? type.items[index] : undefined;
}
