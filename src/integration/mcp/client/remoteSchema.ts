import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { messageOf, quote } from '../../../common/text.js';
import type { JsonSchema } from '../../../common/types.js';
import type { StandardIssue, StandardSchema } from '../../../interface/StandardSchema.js';
import { readForeignSchema } from '../../../schema/standard/readForeignSchema.js';
import { schemaProblem } from './boundedSchema.js';
import { checkedSchema, tidySchema } from './tidySchema.js';
import { watched } from './watched.js';

/** Much more than the largest schema needs that is taken, and the largest arguments for one that is no trap. */
const COMPILE_MS = 10_000;
const CHECK_MS = 2_000;

type ForValidator = Parameters<AjvJsonSchemaValidator['getValidator']>[0];

/** What is wrong with a value, in the validator's words; undefined for a value that fits. */
type Judge = (value: unknown) => string | undefined;

/** A schema of a server: as models see it, and what judges by it. */
export interface RemoteSchema {
  readonly schema: JsonSchema;
  readonly judge: Judge;
}

/** A declaration that is left out, and why. */
export interface Unusable {
  readonly problem: string;
}

/**
 * Reads a schema that a server sent, with the validator of the SDK. Each has a validator of its own: in one for all, what a
 * schema calls itself could take the place of another.
 */
export function remoteSchema(given: unknown): RemoteSchema | Unusable {
  const problem = schemaProblem(given);
  if (problem !== undefined) return { problem };
  const schema = tidySchema(given as JsonSchema);
  try {
    const validate = watched(COMPILE_MS, () =>
      new AjvJsonSchemaValidator().getValidator(checkedSchema(schema) as ForValidator),
    );
    const judge: Judge = (value) => {
      try {
        return watched(CHECK_MS, () => validate(value).errorMessage);
      } catch (thrown) {
        return `data could not be checked: ${messageOf(thrown)}`;
      }
    };
    return { schema, judge };
  } catch (thrown) {
    return { problem: `cannot be compiled: ${quote(messageOf(thrown), 200)}` };
  }
}

/** Params of a bridged tool, as every other library gives them. */
export function remoteParams(given: unknown): StandardSchema | Unusable {
  const read = remoteSchema(objectSchema(given));
  if ('problem' in read) return read;
  const { schema, judge } = read;
  const params: StandardSchema = {
    '~standard': {
      version: 1,
      vendor: 'mcp',
      validate: (value) => {
        const wrong = judge(value);
        return wrong === undefined ? { value } : { issues: issuesIn(wrong) };
      },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
  const foreign = readForeignSchema(params);
  return 'code' in foreign ? { problem: `cannot be params: ${foreign.problem}` } : params;
}

/** A server that says nothing of arguments takes none. */
function objectSchema(given: unknown): unknown {
  if (given === undefined || given === null) return { type: 'object', properties: {} };
  const isBare = typeof given === 'object' && Object.keys(given).every((key) => ['type', '$schema'].includes(key));
  return isBare ? { type: 'object', ...given, properties: {} } : given;
}

/** `data/items/0 must be string, data must have required property 'a'`, as issues with paths. */
function issuesIn(text: string): readonly StandardIssue[] {
  return text.split(/, (?=data(?:\/|\s))/).map((each) => {
    const [, pointer = '', said = each] = /^data(\/.*?)? (must .*|could .*)$/s.exec(each) ?? [];
    const path = pointer
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const missing = /^must have required property '(.*)'$/s.exec(said)?.[1];
    return missing === undefined ? { message: said, path } : { message: 'is required', path: [...path, missing] };
  });
}
