import { isObject } from '../../common/guards.js';
import { MAX_SCHEMA_LEVELS, MAX_SCHEMA_STEPS } from '../../common/limits.js';
import type { JsonSchema } from '../../common/types.js';
import { walkValue } from '../../common/walkValue.js';
import type { WeightLimit } from '../read/isLight.js';
import { isPrototypeKey } from '../limits.js';
import { holdsData, listInnerSchemas, isSchema, findReferenced } from './schemaTree.js';

/** Steps of comparing an item of a unique list, or an enum value: writing it with sorted keys takes as long as ten keywords. */
const STEPS_A_COMPARISON = 10;

/** Characters that can be counted or written in the time of one step. */
const CHARS_A_STEP = 50;

/** Keywords that make the time independent of the number of values and characters, or that change the meaning of references. */
const UNBOUNDED = ['pattern', 'patternProperties', 'format', '$dynamicRef', '$id'];
/** Keywords with schemas that count where they are referred to. */
const DEFINITIONS = new Set(['$defs', 'definitions']);
/** Keywords that write a value as text and look it up among others. */
const COMPARES = ['uniqueItems', 'enum'];
/** Keywords that read each character of a text, or of the texts in a list. */
const READS_TEXT = ['minLength', 'maxLength', 'uniqueItems', 'enum', 'const'];

/** Thrown for a schema without a simple bound on its check. */
class Unbounded extends RangeError {}

/**
 * Estimates the most steps of a check from its JSON Schema: with all references written out, each value meets each keyword at
 * most once.
 *
 * @returns undefined for patterns, formats, recursive schemas and large ones, which have no such bound
 */
export function weighSchema(root: JsonSchema): WeightLimit | undefined {
  const scales = new Scales(root);
  try {
    scales.add(root);
  } catch (thrown) {
    if (thrown instanceof Unbounded) return undefined;
    throw thrown;
  }
  return { value: scales.steps, character: scales.textKeywords / CHARS_A_STEP, most: MAX_SCHEMA_STEPS };
}

class Scales {
  steps = 0;
  /** How many keywords read the characters of a text. */
  textKeywords = 0;
  readonly #root: JsonSchema;
  /** The schemas around the current one: a schema within itself is recursive. */
  readonly #around = new Set<JsonSchema>();

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  add(schema: JsonSchema): void {
    if (this.#around.has(schema) || this.#around.size > MAX_SCHEMA_LEVELS || !isBounded(schema)) throw new Unbounded();
    this.#around.add(schema);
    const applied = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !DEFINITIONS.has(keyword)));
    this.#addKeywords(applied);
    for (const inner of listInnerSchemas(applied)) this.add(inner);
    const { $ref } = schema;
    if ($ref !== undefined) {
      const target = typeof $ref === 'string' ? findReferenced(this.#root, $ref) : undefined;
      if (target === undefined) throw new Unbounded();
      this.add(target);
    }
    this.#around.delete(schema);
  }

  #addKeywords(schema: JsonSchema): void {
    for (const keyword of COMPARES) if (keyword in schema) this.steps += STEPS_A_COMPARISON;
    this.textKeywords += READS_TEXT.filter((keyword) => keyword in schema).length;
    for (const [keyword, value] of Object.entries(schema)) {
      // Looked up, however many members there are.
      if (keyword === 'enum') continue;
      if (holdsData(keyword) || !holdsSchemas(value)) this.#addData(value);
      else this.steps += 1 + Object.keys(value).length;
    }
    if (this.steps > MAX_SCHEMA_STEPS) throw new Unbounded();
  }

  /** Counts the parts of a `const`, and of lists of names. */
  #addData(data: unknown): void {
    const end = walkValue(data, { depth: MAX_SCHEMA_LEVELS }, () => ++this.steps > MAX_SCHEMA_STEPS);
    if (end !== undefined) throw new Unbounded();
  }
}

/** Checks for a keyword's value that is a schema, or a map or list of schemas. */
function holdsSchemas(value: unknown): value is object {
  return isSchema(value) || (Array.isArray(value) && value.some(isSchema));
}

/** Returns false also for defaults that are objects, which are copied, and for prototype names, which are looked up one by one. */
function isBounded(schema: JsonSchema): boolean {
  const { properties, default: fallback } = schema;
  if (UNBOUNDED.some((keyword) => keyword in schema)) return false;
  if (isObject(fallback)) return false;
  return !(isSchema(properties) && Object.keys(properties).some(isPrototypeKey));
}
