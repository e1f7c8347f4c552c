import type { JsonSchema } from 'toolwright';
import type { StandardIssue, StandardSchema } from 'toolwright/schema';
import { isSchema, markComplete, readForeignSchema } from 'toolwright/internal';
import { findSchemaProblem } from './findSchemaProblem.js';
import { checkSchema, type SchemaIssue } from './checkSchema.js';
import { findMalformedKeyword } from './findMalformedKeyword.js';
import { SchemaPatterns } from './SchemaPatterns.js';
import { tidySchema } from './tidySchema.js';

/** A schema of a server: the JSON Schema for models, and its checks. */
export interface RemoteSchema {
  readonly schema: JsonSchema;
  /** Checks a value. Returns the issues; an empty list for a value that matches. */
  readonly check: (value: unknown) => readonly SchemaIssue[];
  /** Checks a value. Returns the issues as a text; undefined for a value that matches. */
  readonly judge: (value: unknown) => string | undefined;
}

/** The reason why a declaration is left out. */
export interface Unusable {
  readonly problem: string;
}

/** Reads a schema that a server sent. Schemas are not compiled; they are walked when a value is checked. */
export function readRemoteSchema(given: unknown): RemoteSchema | Unusable {
  const problem = findSchemaProblem(given);
  if (problem !== undefined) return { problem };
  const schema = tidySchema(given as JsonSchema);
  const malformed = findMalformedKeyword(schema);
  if (malformed !== undefined) return { problem: malformed };
  const patterns = new SchemaPatterns();
  const check = (value: unknown): readonly SchemaIssue[] => {
    patterns.renew();
    return checkSchema(schema, value, patterns.matches);
  };
  return { schema, check, judge: (value) => textOf(check(value)) };
}

/** Returns the params of a bridged tool as a Standard Schema. */
export function toRemoteParams(given: unknown): StandardSchema | Unusable {
  const read = readRemoteSchema(toObjectSchema(given));
  if ('problem' in read) return read;
  const { schema, check } = read;
  const params: StandardSchema = markComplete({
    '~standard': {
      version: 1,
      vendor: 'mcp',
      validate: (value) => {
        const issues: readonly StandardIssue[] = check(value);
        return issues.length === 0 ? { value } : { issues };
      },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  });
  const foreign = readForeignSchema(params);
  return 'code' in foreign ? { problem: `cannot be params: ${foreign.problem}` } : params;
}

/** Returns the schema of the arguments. A tool without a schema does not accept arguments. */
function toObjectSchema(given: unknown): unknown {
  if (given === undefined || given === null) return { type: 'object', properties: {} };
  const isBare = typeof given === 'object' && Object.keys(given).every((key) => ['type', '$schema'].includes(key));
  if (isBare) return { type: 'object', ...given, properties: {} };
  // Some servers leave out the type, which can be nothing else.
  return isSchema(given) && isSchema(given['properties']) && given['type'] === undefined
    ? { type: 'object', ...given }
    : given;
}

/** Writes issues as `data/items/0 must be string, data/id is required`; undefined if there are none. */
function textOf(issues: readonly SchemaIssue[]): string | undefined {
  if (issues.length === 0) return undefined;
  return issues.map(({ path, message }) => `${['data', ...path].join('/')} ${message}`).join(', ');
}
