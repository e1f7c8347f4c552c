import type { JsonSchema } from 'toolwright';
import { canonicalJson, isSchema, findReferenced } from 'toolwright/internal';
import { type Fields, isObject, isRecord } from 'toolwright/internal/light';
import { MAX_CHECK_ISSUES, MAX_CHECK_LEVELS, MAX_CHECK_STEPS } from '../limits.js';
import { descendTo, descend, createSeen, pathOf, type Visit } from './schemaVisit.js';
import { entriesOf, isOfType, listOf, findNumberFaults, findTextFaults, type PatternTest } from './findSchemaFaults.js';

/** An explanation why a value does not match a schema. */
export interface SchemaIssue {
  readonly path: readonly string[];
  readonly message: string;
}

/** The result of a check that exceeded its steps. */
const unfinished: readonly SchemaIssue[] = Object.freeze([
  { path: [], message: `could not be checked in ${String(MAX_CHECK_STEPS)} steps` },
]);

/** Thrown to end a check that exceeds its steps. */
class Unfinished extends RangeError {}

/**
 * Checks a value against a schema of a server by walking both, and stops after a number of steps. Other validators compile a schema,
 * which takes a millisecond for each of its parts, and compiled checks are unlimited (docs/contract.md, 26).
 *
 * @param root a schema that `schemaProblem` accepts
 * @param matches tests a text against a pattern of the schema
 * @returns an empty list for a value that matches; `unfinished` for one that takes too long
 */
export function checkSchema(root: JsonSchema, value: unknown, matches: PatternTest): readonly SchemaIssue[] {
  const check = new Check(root, matches);
  try {
    check.visit(root, value, { place: undefined, seen: createSeen(), depth: 0 });
    return check.issues.map(({ place, message }) => ({ path: pathOf(place), message }));
  } catch (thrown) {
    if (thrown instanceof Unfinished) return unfinished;
    throw thrown;
  }
}

/** The values of `enum` and `const` in canonical form, so that each list is converted only once. */
const tracking = new WeakMap<object, boolean>();
const members = new WeakMap<object, ReadonlySet<string>>();

/** An issue with an unformatted path. Most issues are dropped because another branch matches. */
interface FoundIssue {
  readonly place: Visit['place'];
  readonly message: string;
}

class Check {
  issues: FoundIssue[] = [];
  readonly #root: JsonSchema;
  readonly #matches: PatternTest;
  readonly #targets = new Map<string, JsonSchema | undefined>();
  readonly #tracksKeys: boolean;
  #steps = 0;

  constructor(root: JsonSchema, matches: PatternTest) {
    this.#root = root;
    this.#matches = matches;
    this.#tracksKeys = mustTrackKeys(root);
  }

  visit(schema: unknown, value: unknown, visit: Visit): boolean {
    this.step();
    if (visit.depth > MAX_CHECK_LEVELS) throw new Unfinished();
    if (schema === false) return this.fail(visit, 'boolean schema is false');
    if (!isSchema(schema)) return true;
    const before = this.issues.length;
    let isFit = this.#checkReference(schema, value, visit);
    isFit = this.#checkScalar(schema, value, visit) && isFit;
    isFit = this.#checkCombined(schema, value, visit) && isFit;
    if (Array.isArray(value)) isFit = this.#checkList(schema, value, visit) && isFit;
    else if (isRecord(value)) isFit = this.#checkObject(schema, value, visit) && isFit;
    if (isFit) this.issues.length = before;
    return isFit;
  }

  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > MAX_CHECK_STEPS) throw new Unfinished();
  }

  fail({ place }: Visit, message: string): false {
    if (this.issues.length < MAX_CHECK_ISSUES) this.issues.push({ place, message });
    return false;
  }

  #checkReference(schema: JsonSchema, value: unknown, visit: Visit): boolean {
    const { $ref } = schema;
    if (typeof $ref !== 'string') return true;
    if (!this.#targets.has($ref)) this.#targets.set($ref, findReferenced(this.#root, $ref));
    return this.#visitInPlace(this.#targets.get($ref), value, visit);
  }

  #checkScalar(schema: JsonSchema, value: unknown, visit: Visit): boolean {
    const { type, nullable } = schema;
    if (nullable === true && value === null) return true;
    if (
      typeof type === 'string'
        ? !isOfType(type, value)
        : Array.isArray(type) && !type.some((each) => isOfType(String(each), value))
    )
      return this.fail(visit, `must be ${String(type)}`);
    if (schema['enum'] === undefined && schema['const'] === undefined && typeof value === 'object') return true;
    const isMember = (list: object, all: readonly unknown[]): boolean => {
      let known = members.get(list);
      if (known === undefined) members.set(list, (known = new Set(all.map((each) => this.canonical(each)))));
      return known.has(this.canonical(value));
    };
    if (Array.isArray(schema['enum']) && !isMember(schema['enum'], schema['enum']))
      return this.fail(visit, 'must be equal to one of the allowed values');
    if ('const' in schema && this.canonical(schema['const']) !== this.canonical(value))
      return this.fail(visit, 'must be equal to constant');
    if (typeof value === 'number') return this.#failAll(findNumberFaults(schema, value), visit);
    if (typeof value !== 'string') return true;
    this.step(Math.ceil(value.length / 1_000));
    return this.#failAll(findTextFaults(schema, value, this.#matches), visit);
  }

  /** Writes the canonical JSON of a value, and counts a step for each part and for each thousand characters of a text. */
  canonical(value: unknown): string {
    if (typeof value === 'string') this.step(Math.floor(value.length / 1_000));
    if (!isObject(value)) return canonicalJson(value, () => undefined);
    return canonicalJson(value, () => {
      this.step();
    });
  }

  #isOfSize(size: number, [least, most]: readonly unknown[], noun: string, visit: Visit): boolean {
    if (typeof least === 'number' && size < least)
      return this.fail(visit, `must NOT have fewer than ${String(least)} ${noun}`);
    return (
      !(typeof most === 'number' && size > most) || this.fail(visit, `must NOT have more than ${String(most)} ${noun}`)
    );
  }

  #failAll(faults: readonly (string | false)[], visit: Visit): boolean {
    const found = faults.filter((fault) => fault !== false);
    for (const fault of found) this.fail(visit, fault);
    return found.length === 0;
  }

  #checkCombined(schema: JsonSchema, value: unknown, visit: Visit): boolean {
    const { allOf, anyOf, oneOf, not } = schema;
    let isFit = true;
    for (const each of listOf(allOf)) isFit = this.#visitInPlace(each, value, visit) && isFit;
    if (Array.isArray(anyOf)) {
      const fitting = this.#countFitting(anyOf, value, visit);
      if (fitting === 0) isFit = this.fail(visit, 'must match a schema in anyOf');
    }
    if (Array.isArray(oneOf) && this.#countFitting(oneOf, value, visit) !== 1)
      isFit = this.fail(visit, 'must match exactly one schema in oneOf');
    if (not !== undefined && this.#checkSilently(() => this.visit(not, value, descend(visit, createSeen()))))
      isFit = this.fail(visit, 'must NOT be valid');
    return this.#checkCondition(schema, value, visit) && isFit;
  }

  #checkCondition(schema: JsonSchema, value: unknown, visit: Visit): boolean {
    if (schema['if'] === undefined) return true;
    const holds = this.#checkSilently(() => this.#visitInPlace(schema['if'], value, visit));
    return this.#visitInPlace(schema[holds ? 'then' : 'else'], value, visit);
  }

  /** Counts the schemas of a list that a value matches. The issues of the others are kept if no schema matches. */
  #countFitting(list: readonly unknown[], value: unknown, visit: Visit): number {
    const before = this.issues.length;
    const count = list.filter((each) => this.#visitInPlace(each, value, visit)).length;
    if (count > 0) this.issues.length = before;
    return count;
  }

  #checkSilently(check: () => boolean): boolean {
    const before = this.issues;
    this.issues = [];
    const result = check();
    this.issues = before;
    return result;
  }

  /** Visits a schema for the same value. Keys and items that it evaluated count if the value matches. */
  #visitInPlace(schema: unknown, value: unknown, visit: Visit): boolean {
    const seen = createSeen();
    if (!this.visit(schema, value, descend(visit, seen))) return false;
    for (const key of seen.keys ?? []) (visit.seen.keys ??= new Set()).add(key);
    for (const index of seen.contained ?? []) (visit.seen.contained ??= new Set()).add(index);
    visit.seen.items = Math.max(visit.seen.items, seen.items);
    return true;
  }

  #checkList(schema: JsonSchema, list: readonly unknown[], visit: Visit): boolean {
    const { prefixItems, items, additionalItems, contains, unevaluatedItems, uniqueItems } = schema;
    const { minItems, maxItems, minContains = 1, maxContains = Infinity } = schema;
    const first = listOf(prefixItems ?? items);
    const rest = Array.isArray(items) ? additionalItems : items;
    const item = (each: unknown, index: number): boolean =>
      this.visit(each, list[index], descendTo(visit, String(index)));
    let isFit = this.#isOfSize(list.length, [minItems, maxItems], 'items', visit);
    if (uniqueItems === true && this.#hasTwins(list)) isFit = this.fail(visit, 'must NOT have duplicate items');
    for (let index = 0; index < Math.min(first.length, list.length); index++)
      isFit = item(first[index], index) && isFit;
    visit.seen.items = Math.max(visit.seen.items, first.length);
    if (rest !== undefined) {
      for (let index = first.length; index < list.length; index++) isFit = item(rest, index) && isFit;
      visit.seen.items = list.length;
    }
    if (contains !== undefined) {
      const found = [...list.keys()].filter((index) => this.#checkSilently(() => item(contains, index)));
      const count = found.length;
      visit.seen.contained = new Set([...(visit.seen.contained ?? []), ...found]);
      if (count < Number(minContains) || count > Number(maxContains))
        isFit = this.fail(visit, `must contain at least ${String(minContains)} valid item(s)`);
    }
    if (unevaluatedItems !== undefined)
      for (let index = visit.seen.items; index < list.length; index++)
        if (visit.seen.contained?.has(index) !== true) isFit = item(unevaluatedItems, index) && isFit;
    return isFit;
  }

  #hasTwins(list: readonly unknown[]): boolean {
    return new Set(list.map((each) => this.canonical(each))).size < list.length;
  }

  #checkObject(schema: JsonSchema, value: Fields, visit: Visit): boolean {
    const keys = Object.keys(value);
    const { minProperties, maxProperties, dependentRequired, dependentSchemas, dependencies } = schema;
    const required = listOf(schema['required']);
    this.step(Math.ceil((keys.length + required.length) / 10));
    const missing = required.filter((name) => !Object.hasOwn(value, String(name)));
    for (const name of missing) this.fail(descendTo(visit, String(name)), 'is required');
    let isFit = this.#isOfSize(keys.length, [minProperties, maxProperties], 'properties', visit);
    const conditions = [dependentRequired, dependentSchemas, dependencies].filter((each) => each !== undefined);
    for (const [name, given] of conditions.flatMap(entriesOf)) {
      this.step();
      if (!Object.hasOwn(value, name)) continue;
      const absent = listOf(given).filter((each) => !Object.hasOwn(value, String(each)));
      for (const each of absent) isFit = this.fail(descendTo(visit, String(each)), `is required when ${name} is given`);
      if (!Array.isArray(given)) isFit = this.#visitInPlace(given, value, visit) && isFit;
    }
    return this.#checkProperties(schema, value, keys, visit) && isFit && missing.length === 0;
  }

  #checkProperties(schema: JsonSchema, value: Fields, keys: readonly string[], visit: Visit): boolean {
    const { properties, patternProperties, additionalProperties, propertyNames, unevaluatedProperties } = schema;
    const patterns = entriesOf(patternProperties);
    const declared = isRecord(properties) ? properties : {};
    let isFit = true;
    const inner = (each: unknown, key: string): void => {
      isFit = this.visit(each, value[key], descendTo(visit, key)) && isFit;
      if (this.#tracksKeys) (visit.seen.keys ??= new Set()).add(key);
    };
    for (const key of keys) {
      if (
        propertyNames !== undefined &&
        !this.#checkSilently(() => this.visit(propertyNames, key, descendTo(visit, key)))
      )
        isFit = this.fail(descendTo(visit, key), 'property name must be valid');
      const fitting = patterns.filter(([pattern]) => {
        this.step();
        return this.#matches(pattern, key);
      });
      for (const [, each] of fitting) inner(each, key);
      if (Object.hasOwn(declared, key)) inner(declared[key], key);
      else if (fitting.length === 0 && additionalProperties === false)
        isFit = this.fail(visit, `must NOT have additional properties: ${key.slice(0, 100)}`);
      else if (fitting.length === 0 && additionalProperties !== undefined) inner(additionalProperties, key);
    }
    for (const key of unevaluatedProperties === undefined
      ? []
      : keys.filter((each) => visit.seen.keys?.has(each) !== true)) {
      if (unevaluatedProperties === false)
        isFit = this.fail(visit, `must NOT have unevaluated properties: ${key.slice(0, 100)}`);
      else inner(unevaluatedProperties, key);
    }
    return isFit;
  }
}

/** Checks whether a schema uses `unevaluatedProperties` anywhere. Only then evaluated keys must be tracked. */
function mustTrackKeys(root: JsonSchema): boolean {
  let known = tracking.get(root);
  if (known === undefined) tracking.set(root, (known = JSON.stringify(root).includes('"unevaluatedProperties"')));
  return known;
}
