import type { ClassShape, FieldShape, TypeShape } from '../metadata/ClassShape.js';
import { valuesOfText } from './jsonExtent.js';
import { MAX_DEPTH, MAX_VALUES } from './limits.js';
import { readAlmostJson } from './repair/readAlmostJson.js';

/** The placeholder for a secret. */
export const HIDDEN = '[secret]';

const known = new WeakMap<ClassShape, boolean>();

/** True for a class with a secret field, its own or of a class inside it. */
export function holdsSecrets(shape: ClassShape): boolean {
  const found = known.get(shape);
  if (found !== undefined) return found;
  const holds = searched(shape, new Set());
  known.set(shape, holds);
  return holds;
}

function searched(shape: ClassShape, seen: Set<ClassShape>): boolean {
  if (seen.has(shape)) return false;
  seen.add(shape);
  return shape.fields.some(({ secret, type }) => secret || shapesIn(type).some((inner) => searched(inner, seen)));
}

/** True for a type that can contain a class with secrets. */
export function containsSecrets(type: TypeShape): boolean {
  return shapesIn(type).some(holdsSecrets);
}

function shapesIn(type: TypeShape): readonly ClassShape[] {
  switch (type.kind) {
    case 'object':
      return [type.shape];
    case 'discriminated':
      return type.subTypes.map(({ shape }) => shape);
    case 'array':
      return shapesIn(type.items);
    case 'record':
      return shapesIn(type.values);
    case 'tuple':
      return type.items.flatMap(shapesIn);
    case 'oneOf':
      return type.options.flatMap(shapesIn);
    default:
      return [];
  }
}

/** The form of a value: as the model sent it, or already an instance. */
type Form = 'wire' | 'instance';

/** Hides secrets in a value, and records the texts that it hid. */
export class SecretHider {
  /** The secret texts found so far. */
  readonly texts = new Set<string>();
  readonly #form: Form;

  constructor(form: Form) {
    this.#form = form;
  }

  /**
   * Returns a copy without secrets. Unknown keys are hidden as well, since a misspelt key may hold a secret.
   */
  object(shape: ClassShape, value: unknown): unknown {
    if (!holdsSecrets(shape)) return value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.#hide(value);
    const names = new Map(
      shape.fields.map((field) => [this.#form === 'wire' ? field.wireName : field.property, field]),
    );
    const copy = Object.create(Object.getPrototypeOf(value) as object | null) as object;
    for (const [key, entry] of Object.entries(value)) {
      const shown = this.#entry(names.get(key), entry);
      Object.defineProperty(copy, key, { value: shown, enumerable: true, configurable: true, writable: true });
    }
    return copy;
  }

  #entry(field: FieldShape | undefined, value: unknown): unknown {
    return field === undefined || field.secret ? this.#hide(value) : this.#type(field.type, value);
  }

  #type(type: TypeShape, value: unknown): unknown {
    if (!containsSecrets(type)) return value;
    switch (type.kind) {
      case 'object':
        return this.object(type.shape, value);
      case 'array':
        return Array.isArray(value) ? value.map((item) => this.#type(type.items, item)) : this.#hide(value);
      case 'tuple':
        return Array.isArray(value)
          ? value.map((item, index) => this.#type(type.items[index] ?? { kind: 'any' }, item))
          : this.#hide(value);
      case 'record':
        return typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.#type(type.values, entry)]))
          : this.#hide(value);
      default:
        // The intended class out of several cannot be determined from a value that may be wrong.
        return this.#hide(value);
    }
  }

  /** A text that holds JSON, such as the key of a service account or an object as a string, holds secrets of its own. */
  #text(value: string): void {
    this.texts.add(value);
    if (!/^\s*[[{]/.test(value) || valuesOfText(value, { values: MAX_VALUES, depth: MAX_DEPTH }) === undefined) return;
    const read = readAlmostJson(value);
    if (read !== undefined) this.#hide(read.value);
  }

  #hide(value: unknown): unknown {
    if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'number' || typeof value === 'bigint') this.texts.add(String(value));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach((inner) => this.#hide(inner));
    return value === null || value === undefined ? value : HIDDEN;
  }
}
