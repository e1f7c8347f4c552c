import { isObject, isRecord } from '../../common/guards.js';
import { MAX_DEPTH_LEVELS, MAX_VALUES } from '../../common/limits.js';
import { emptyCopy, setProperty } from '../../common/walkValue.js';
import { getOrCreate } from '../../common/memoize.js';
import type { ClassShape, FieldShape, TypeShape } from '../../metadata/ClassShape.js';
import { countTextValues } from '../parse/jsonExtent.js';
import { listAllTypes, listOwnShapes, someType } from '../read/typeParts.js';
import { readAlmostJson } from '../repair/readAlmostJson.js';

/** The placeholder for a secret. */
export const HIDDEN = '[secret]';

const known = new WeakMap<ClassShape, boolean>();
const named = new WeakMap<ClassShape, ReadonlySet<string>>();

/** Checks for a class with a secret field, directly or in a class inside it. */
export function holdsSecrets(shape: ClassShape): boolean {
  return getOrCreate(known, shape, searchShape);
}

function searchShape(shape: ClassShape): boolean {
  const shapes = listAllTypes({ kind: 'object', shape }).flatMap(listOwnShapes);
  return shapes.some(({ fields }) => fields.some(({ secret }) => secret));
}

/** Checks for a type that can contain a class with secrets. */
export function containsSecrets(type: TypeShape): boolean {
  return someType(type, (part) => listOwnShapes(part).some(holdsSecrets));
}

/** Lists the names that a class and the classes inside it declare: the schema shows them to everyone. */
function listSecretNames(shape: ClassShape): ReadonlySet<string> {
  return getOrCreate(named, shape, collectNames);
}

function collectNames(shape: ClassShape): ReadonlySet<string> {
  const names = new Set<string>();
  for (const type of listAllTypes({ kind: 'object', shape })) {
    if (type.kind === 'discriminated') names.add(type.property);
    for (const { fields } of listOwnShapes(type))
      for (const { property, wireName } of fields) names.add(property).add(wireName);
  }
  return names;
}

/** Checks for a type with keyed values: for such a type, JSON in a text is searched for keys. */
function hasKeys(type: TypeShape): boolean {
  return someType(type, ({ kind }) => ['record', 'any', 'object', 'discriminated'].includes(kind));
}

/** The form of a value: as the model sent it, or as an instance. */
type Form = 'wire' | 'instance';

/** Hides secrets in a value. For a value that the model sent, also collects the hidden texts: an instance has no others. */
export class SecretHider {
  readonly texts = new Set<string>();
  /** The most values that JSON within the secrets may still hold. */
  #room = MAX_VALUES;
  #isComplete = true;
  readonly #form: Form;
  /** Keys that everyone knows: hiding them elsewhere would hide ordinary words. */
  #names: ReadonlySet<string> = new Set();

  constructor(form: Form) {
    this.#form = form;
  }

  /** False if JSON within the secrets is too large to read: `texts` then lacks its values. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /**
   * Returns a copy without secrets. Also hides the values of unknown keys, since a misspelt key may hold a secret. Keys within a
   * secret are part of it, unless the class declares them.
   */
  object(shape: ClassShape, value: unknown): unknown {
    if (!holdsSecrets(shape)) return value;
    this.#names = listSecretNames(shape);
    return this.#hideObject(shape, value);
  }

  #hideObject(shape: ClassShape, value: unknown): unknown {
    if (!holdsSecrets(shape)) return value;
    if (!isRecord(value)) return this.#hide(value);
    const names = new Map(
      shape.fields.map((field) => [this.#form === 'wire' ? field.wireName : field.property, field]),
    );
    const copy = emptyCopy(value);
    for (const [key, entry] of Object.entries(value)) setProperty(copy, key, this.#hideEntry(names.get(key), entry));
    return copy;
  }

  #hideEntry(field: FieldShape | undefined, value: unknown): unknown {
    return field === undefined || field.secret ? this.#hide(value, field?.type) : this.#hideType(field.type, value);
  }

  #hideType(type: TypeShape, value: unknown): unknown {
    if (!containsSecrets(type)) return value;
    switch (type.kind) {
      case 'object':
        return this.#hideObject(type.shape, value);
      case 'array':
        return Array.isArray(value) ? value.map((item) => this.#hideType(type.items, item)) : this.#hide(value, type);
      case 'tuple':
        return Array.isArray(value)
          ? value.map((item, index) => this.#hideType(type.items[index] ?? { kind: 'any' }, item))
          : this.#hide(value, type);
      case 'record':
        return isObject(value)
          ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.#hideType(type.values, entry)]))
          : this.#hide(value, type);
      default:
        // The intended class out of several cannot be determined from a value that may be wrong.
        return this.#hide(value, type);
    }
  }

  /** Collects a secret text, and the secrets in it if it is JSON, such as a service account key or an object as a string. */
  #collectText(value: string, type: TypeShape): void {
    this.texts.add(value);
    if (!/^\s*[[{]/.test(value)) return;
    const values = countTextValues(value, { values: this.#room, depth: MAX_DEPTH_LEVELS });
    if (values === undefined) {
      this.#isComplete = false;
      return;
    }
    this.#room -= values;
    const read = readAlmostJson(value);
    if (read !== undefined) this.#collect(read.value, type, hasKeys(type));
  }

  #hide(value: unknown, type: TypeShape = { kind: 'any' }): unknown {
    if (this.#form === 'wire') this.#collect(value, type, true);
    return value === null || value === undefined ? value : HIDDEN;
  }

  /** @param isData false for keys of JSON that was sent as a text, such as the key file of a service account */
  #collect(value: unknown, type: TypeShape, isData: boolean): void {
    if (typeof value === 'string') this.#collectText(value, type);
    else if (typeof value === 'number' || typeof value === 'bigint') this.texts.add(String(value));
    else if (isObject(value))
      for (const [key, inner] of Object.entries(value)) {
        if (isData && !Array.isArray(value) && !this.#names.has(key) && !FIELD_NAMES.has(key)) this.texts.add(key);
        this.#collect(inner, type, isData);
      }
  }
}

/**
 * Names of fields of messages, parts, usage, changes and results, and kinds of parts: a record could not be read without them,
 * and they are ordinary words in texts.
 */
export const FIELD_NAMES: ReadonlySet<string> = new Set(
  [
    'after arguments before bytes caller callId cause changes code content data effect failed file finishReason id image kind mediaType',
    'message messages name native note outcome output parts part path place problem result role seq stack success text tool toolCallId',
    'toolCalls tools type url usage value what',
  ].flatMap((names) => names.split(' ')),
);
