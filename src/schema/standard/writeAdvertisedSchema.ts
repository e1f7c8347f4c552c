import { messageOf, quote } from '../../common/text.js';
import type { JsonSchema } from '../../common/types.js';
import type { Fault } from '../../error/Finding.js';
import type { JsonSchemaConverter } from '../../interface/StandardSchema.js';
import { listInnerSchemas, isSchema, findReferenced } from './schemaTree.js';

/** The JSON Schema that a model receives, or the reason why there is none. */
export type AdvertisedSchema = { readonly schema: JsonSchema } | Fault;

/** The parts of a schema's `~standard` that are read here. */
interface Standard {
  readonly vendor: unknown;
  readonly jsonSchema?: unknown;
}

/**
 * Converts the params of another library to JSON Schema, and checks that providers accept it: with an object at its root, and no
 * references out of the document. Returns a copy.
 */
export function writeAdvertisedSchema(standard: Standard): AdvertisedSchema {
  const written = writeForeignSchema(standard, 'params');
  if ('code' in written || written.schema['type'] === 'object') return written;
  const root = written.schema;
  const seen = root['type'] === undefined ? Object.keys(root).slice(0, 3).join(', ') : JSON.stringify(root['type']);
  return { code: 'E210', problem: `the root of the schema in params is not an object, but has ${seen || 'no type'}` };
}

/** Converts the params or the result of another library to JSON Schema without references out of the document. Returns a copy. */
export function writeForeignSchema(standard: Standard, role: 'params' | 'result'): AdvertisedSchema {
  const name = `the ${quote(standard.vendor)} schema in ${role}`;
  const converter = standard.jsonSchema as Partial<JsonSchemaConverter> | undefined;
  const convert = role === 'params' ? converter?.input : converter?.output;
  if (typeof convert !== 'function') return { code: 'E209', problem: `${name} gives no JSON Schema` };
  let written: unknown;
  try {
    // Copied through JSON: the library's own object must not be frozen, and may hold values that JSON cannot.
    written = JSON.parse(JSON.stringify(convert.call(converter, { target: 'draft-2020-12' })));
  } catch (thrown) {
    return { code: 'E209', problem: `${name} has no JSON Schema: ${messageOf(thrown)}` };
  }
  if (!isSchema(written)) return { code: 'E209', problem: `${name} returned an invalid JSON Schema` };
  // Providers assume a draft; some refuse `$schema`.
  const { $schema: _dialect, ...schema } = written;
  const lost = findLostReference(schema);
  if (lost !== undefined) return { code: 'E211', problem: `the schema in ${role} refers to ${quote(lost)}` };
  return { schema: inlineRoot(schema) };
}

/** Finds the first reference without a target in the document. */
function findLostReference(root: JsonSchema): string | undefined {
  const open: JsonSchema[] = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    const { $ref, $dynamicRef } = schema;
    if (typeof $dynamicRef === 'string') return $dynamicRef;
    if (typeof $ref === 'string' && findReferenced(root, $ref) === undefined) return $ref;
    open.push(...listInnerSchemas(schema));
  }
  return undefined;
}

/** Inlines the root: some libraries write `{ $ref, $defs }` for it, but providers require the object itself. */
function inlineRoot(root: JsonSchema): JsonSchema {
  let schema = root;
  const followed = new Set<string>();
  while (typeof schema['$ref'] === 'string' && !followed.has(schema['$ref'])) {
    const { $ref, ...beside } = schema as JsonSchema & { readonly $ref: string };
    followed.add($ref);
    schema = { ...findReferenced(root, $ref), ...beside };
  }
  if (followed.size === 0) return root;
  const unused = [...followed].filter((reference) => !JSON.stringify(schema).includes(JSON.stringify(reference)));
  const definitions = Object.entries((schema['$defs'] ?? {}) as JsonSchema).filter(
    ([name]) => !unused.includes(`#/$defs/${name}`),
  );
  const { $defs: _all, ...rest } = schema;
  return definitions.length === 0 ? rest : { ...rest, $defs: Object.fromEntries(definitions) };
}
