import type { JsonSchema } from '../../common/types.js';
import { getOrCreate } from '../../common/memoize.js';
import type { OutputSchema } from '../../interface/ModelAdapter.js';
import { listTypes } from '../standard/jsonTypes.js';
import { isSchema } from '../standard/schemaTree.js';
import { ANNOTATIONS, mergeAllOf } from './mergeAllOf.js';
import { References } from './References.js';
import { describeSchema, describeRules } from './describeSchema.js';

/** Keywords that no provider accepts beside the `type: 'object'` of the arguments. */
const FORBIDDEN = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'enum', 'const', 'if', 'then', 'else'];

/** A rewritten schema, and everything of it that had to be left out or put into words. */
export type LossySchema = Pick<OutputSchema, 'schema' | 'losses'>;

/**
 * Turns the root of a foreign schema into an object that is not a union: merges alternatives into one object with all their
 * properties, and describes which ones belong together. Returns params classes unchanged, since they are objects already.
 */
export function writeObjectRoot(given: JsonSchema): LossySchema {
  if (given['type'] === 'object' && !FORBIDDEN.some((keyword) => keyword in given))
    return { schema: given, losses: [] };
  const references = new References(given);
  const schema = mergeAllOf(resolveReference(given, references), references);
  const keyword = 'anyOf' in schema ? 'anyOf' : 'oneOf';
  const branches = listObjectBranches(schema[keyword], references);
  const own = Object.entries(schema).filter(([name]) => !FORBIDDEN.includes(name));
  const described = Object.entries(schema).filter(
    ([name]) => FORBIDDEN.includes(name) && !(name === keyword && branches !== undefined),
  );
  const merged: JsonSchema = { ...Object.fromEntries(own), type: 'object' };
  const description = describeSchema(merged['description'], [
    ...(branches === undefined ? [] : [`with one of these: ${branches.map(listNames).join('; or ')}`]),
    ...describeRules(Object.fromEntries(described)),
  ]);
  return {
    schema: {
      ...(branches === undefined ? { properties: {}, ...merged } : mergeBranches(merged, branches)),
      ...(description === undefined ? {} : { description }),
    },
    losses: Object.entries(schema)
      .filter(([name]) => FORBIDDEN.includes(name))
      .map(([name, value]) => ({ path: '', keyword: name, value, became: 'description' })),
  };
}

/** Replaces the schema's reference with its target; definitions stay where references find them. */
function resolveReference(schema: JsonSchema, references: References): JsonSchema {
  let current = schema;
  for (let steps = 0; current['$ref'] !== undefined && steps < 100; steps++) {
    const { $ref, ...beside } = current;
    const target = references.target($ref);
    if (target === undefined || target === current) return current;
    current = { ...target, ...beside };
  }
  return current;
}

/** Returns the alternatives if all of them are objects with known properties. */
function listObjectBranches(alternatives: unknown, references: References): readonly JsonSchema[] | undefined {
  if (!Array.isArray(alternatives) || alternatives.length === 0) return undefined;
  const branches = (alternatives as readonly unknown[]).map((branch) =>
    isSchema(branch) ? mergeAllOf(resolveReference(branch, references), references) : {},
  );
  const isObject = (branch: JsonSchema): boolean =>
    listTypes(branch).every((type) => type === 'object') && (isSchema(branch['properties']) || 'required' in branch);
  return branches.every(isObject) ? branches : undefined;
}

function mergeBranches(own: JsonSchema, branches: readonly JsonSchema[]): JsonSchema {
  // Maps, because a property may be named like one of Object.prototype.
  const found = new Map<string, unknown[]>();
  for (const [name, property] of branches.flatMap(listProperties)) getOrCreate(found, name, () => []).push(property);
  const merged = [...found].map(([name, schemas]) => [name, mergeAlternatives(schemas)] as const);
  const properties = Object.fromEntries(new Map([...merged, ...listProperties(own)]));
  const required = new Set([
    ...listRequired(own),
    ...branches.map(listRequired).reduce((kept, names) => kept.filter((name) => names.includes(name))),
  ]);
  const closed = [own, ...branches].some((schema) => schema['additionalProperties'] === false);
  return {
    ...own,
    properties,
    ...(required.size === 0 ? {} : { required: [...required] }),
    ...(closed ? { additionalProperties: false } : {}),
  };
}

/** Writes one schema for a property of several alternatives; combines constants, such as discriminators, into one enum. */
function mergeAlternatives(schemas: readonly unknown[]): unknown {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first] = distinct;
  if (distinct.length === 1) return first;
  const literal = (schema: unknown): readonly unknown[] | undefined =>
    isSchema(schema) &&
    Object.keys(schema).every((name) => name === 'const' || name === 'type' || ANNOTATIONS.has(name))
      ? [schema['const']].filter((value) => value !== undefined)
      : undefined;
  const values = distinct.map(literal);
  return isSchema(first) && values.every((value) => value?.length === 1)
    ? { ...(first['type'] === undefined ? {} : { type: first['type'] }), enum: values.flat() }
    : { anyOf: distinct };
}

/** Lists the properties that an alternative requires, with their constants: `kind "circle", radius`. */
function listNames(branch: JsonSchema): string {
  const properties = new Map(listProperties(branch));
  const required = listRequired(branch);
  const texts = (required.length > 0 ? required : [...properties.keys()]).map((name) => {
    const property = properties.get(name);
    const only = isSchema(property) ? property['const'] : undefined;
    return only === undefined ? name : `${name} ${JSON.stringify(only)}`;
  });
  return texts.length === 0 ? 'nothing' : texts.join(', ');
}

function listProperties(schema: JsonSchema): readonly (readonly [string, unknown])[] {
  return isSchema(schema['properties']) ? Object.entries(schema['properties']) : [];
}

function listRequired(schema: JsonSchema): readonly string[] {
  return Array.isArray(schema['required']) ? schema['required'].map(String) : [];
}
