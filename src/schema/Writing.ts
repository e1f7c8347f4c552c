import { isClass } from '../common/classes.js';
import { jsonLength } from '../common/jsonLength.js';
import { cut } from '../common/text.js';
import type { Constructor } from '../common/types.js';
import type { TypeShape } from '../metadata/ClassShape.js';
import { builtInForm, emptyForm, unfinishedKind } from './writtenForms.js';

type Plain = string | number | boolean | null | undefined | Plain[] | { [key: string]: Plain };

/** The wire names of the properties of a class; undefined for properties that are left out. */
export interface Names {
  readonly byProperty: ReadonlyMap<string, string | undefined>;
  /** True if all other properties are left out as well. */
  readonly onlyThese: boolean;
}

const UNREADABLE = '[value that cannot be read]';
const DEEPEST = 64;
/** Objects that are written although they have been written before: more of them are only mentioned. */
const MOST_REPEATED = 10_000;
/** Items of lists and properties of objects in all. */
const MOST_ENTRIES = 4_194_304;
/** Characters of texts in all. */
const MOST_CHARACTERS = 33_554_432;
/** What has fewer entries and characters is small. */
const SMALL_ENTRIES = 20_000;
const SMALL_CHARACTERS = 1_000_000;
/** Shorter texts are never cut. */
const SHORT = 40;

/** How a value is written. */
export interface WritingOptions {
  /** Leaves out properties of instances that are `null` or `undefined`. */
  readonly excludeNone: boolean;
  /** The most entries of a list or an object that are kept; more of them are counted, so that a copy of them never exists. */
  readonly mostEntries: number;
  readonly namesOf: (type: Constructor) => Names;
}

/**
 * Writes one value, and counts meanwhile: an object that is met again is written again, but only so often, since objects that
 * hold the next one twice, level by level, would have no end.
 */
export class Writing {
  /** Characters that were counted and not kept. */
  left = 0;
  /** False if there were more entries than are counted. */
  isWhole = true;
  /** How many entries of a list or an object were not kept; its last entry says so. */
  readonly ended = new Map<object, number>();
  readonly #options: WritingOptions;
  readonly #ancestors: object[] = [];
  readonly #written = new Set<object>();
  #repeats = MOST_REPEATED;
  #entries = MOST_ENTRIES;
  #keyCharacters = 0;
  #characters = MOST_CHARACTERS;

  constructor(options: WritingOptions) {
    this.#options = options;
  }

  /** True if so little was written that its JSON may be made to see how long it is. */
  get isSmall(): boolean {
    const characters = MOST_CHARACTERS - this.#characters + this.#keyCharacters;
    return this.ended.size === 0 && this.#entries > MOST_ENTRIES - SMALL_ENTRIES && characters < SMALL_CHARACTERS;
  }

  of(value: unknown, type?: TypeShape): Plain {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'boolean':
        return value;
      case 'undefined':
        return undefined;
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'bigint':
        return this.#text(value.toString());
      case 'symbol':
        return value.toString();
      case 'function':
        return '[function]';
      case 'object':
        return value === null ? null : this.#object(value, type);
    }
  }

  #text(text: string): string {
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

  #object(value: object, type: TypeShape | undefined): Plain {
    if (this.#ancestors.includes(value)) return '[circular]';
    if (this.#ancestors.length >= DEEPEST) return '[nested too deeply]';
    if (this.#written.has(value)) {
      if (this.#repeats === 0) return '[repeated]';
      this.#repeats--;
    } else this.#written.add(value);
    this.#ancestors.push(value);
    try {
      if (Array.isArray(value)) return this.#list(value, type);
      return this.#record(value, type);
    } catch {
      // A revoked proxy throws on any access.
      return UNREADABLE;
    } finally {
      this.#ancestors.pop();
    }
  }

  #list(items: readonly unknown[], type: TypeShape | undefined): Plain {
    const plain: Plain[] = [];
    // Not `map`, which visits each hole of a list whose length alone is large.
    for (let index = 0; index < items.length; index++) {
      if (--this.#entries < 0) {
        this.isWhole = false;
        break;
      }
      const item = this.of(items[index], itemType(type, index)) ?? null;
      if (index < this.#options.mostEntries) plain.push(item);
      else this.left += jsonLength(item) + 1;
    }
    const more = items.length - plain.length;
    if (more > 0) plain.push(...this.#end(plain, [`… ${String(more)} more items`], more));
    return plain;
  }

  /** Notes that a list or an object ends early; what says so is no part of its length. */
  #end<T>(plain: object, mark: T, more: number): T {
    this.ended.set(plain, more);
    this.left -= jsonLength(mark) - 1;
    return mark;
  }

  #record(value: object, type: TypeShape | undefined): Plain {
    const maker: unknown = value.constructor;
    const isInstance = isClass(maker) && maker !== Object;
    const form = isInstance ? builtInForm(value) : undefined;
    if (form !== undefined) return this.of(form.form);
    const declared = isInstance ? maker : type?.kind === 'object' ? type.shape.type : undefined;
    const names = declared === undefined ? undefined : this.#options.namesOf(declared);
    const known = names === undefined || names.byProperty.size === 0 ? undefined : names.byProperty;
    if (known === undefined) {
      const kind = unfinishedKind(value);
      if (kind !== undefined) return `[${kind}]`;
      const json = isInstance ? ownJson(value) : value;
      if (json !== value) return this.of(json);
    }
    const own = Object.keys(value);
    if (own.length === 0 && known === undefined) {
      const standIn = emptyForm(value);
      if (standIn !== undefined) return this.of(standIn.form);
    }
    return this.#properties(value, type, known === undefined ? own : [...new Set([...known.keys(), ...own])], names);
  }

  #properties(
    value: object,
    type: TypeShape | undefined,
    properties: readonly string[],
    names: Names | undefined,
  ): Plain {
    const plain: Record<string, Plain> = {};
    let [kept, more] = [0, 0];
    const isInstance = value.constructor !== Object && isClass(value.constructor);
    for (const [index, property] of properties.entries()) {
      const name =
        names?.byProperty.has(property) === true
          ? names.byProperty.get(property)
          : names?.onlyThese === true
            ? undefined
            : property;
      if (name === undefined) continue;
      this.#keyCharacters += name.length;
      if (--this.#entries < 0) {
        this.isWhole = false;
        more += properties.length - index;
        break;
      }
      const written = this.#entry(value, property, type);
      if (written === undefined || (written === null && isInstance && this.#options.excludeNone)) continue;
      if (++kept > this.#options.mostEntries) {
        more++;
        this.left += jsonLength(name) + jsonLength(written) + 2;
        continue;
      }
      // An assignment to "__proto__" would set the prototype.
      if (name === '__proto__') Object.defineProperty(plain, name, { value: written, enumerable: true });
      else plain[name] = written;
    }
    if (more > 0) Object.assign(plain, this.#end(plain, { '…': `${String(more)} more keys` }, more));
    return plain;
  }

  #entry(owner: object, property: string, type: TypeShape | undefined): Plain {
    try {
      const entry = (owner as Readonly<Record<string, unknown>>)[property];
      return this.of(entry, entryType(type, property));
    } catch {
      return UNREADABLE;
    }
  }
}

/** The result of the `toJSON` of an instance of a class without declarations, such as a URL or a decimal. */
function ownJson(value: { readonly toJSON?: unknown }): unknown {
  return typeof value.toJSON === 'function' ? (value.toJSON as () => unknown).call(value) : value;
}

function itemType(type: TypeShape | undefined, index: number): TypeShape | undefined {
  return type?.kind === 'array' ? type.items : type?.kind === 'tuple' ? type.items[index] : undefined;
}

function entryType(type: TypeShape | undefined, property: string): TypeShape | undefined {
  if (type?.kind === 'record') return type.values;
  return type?.kind === 'object' ? type.shape.fields.find((field) => field.property === property)?.type : undefined;
}
