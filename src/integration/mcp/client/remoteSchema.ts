import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { messageOf, quote } from '../../../common/text.js';
import type { JsonSchema } from '../../../common/types.js';
import type { StandardIssue, StandardSchema } from '../../../interface/StandardSchema.js';
import { readForeignSchema } from '../../../schema/standard/readForeignSchema.js';
import { schemaProblem } from './boundedSchema.js';
import { checkedSchema, tidySchema } from './tidySchema.js';
import { createContext, Script, type Context } from 'node:vm';
import { lazy } from '../../../common/lazy.js';

/** Much more than the largest accepted schema needs, and than the largest arguments need for a schema that is not malicious. */
const COMPILE_MS = 10_000;
const CHECK_MS = 2_000;

type ForValidator = Parameters<AjvJsonSchemaValidator['getValidator']>[0];

/** Returns the validator's message on a value; undefined for a valid one. */
type Judge = (value: unknown) => string | undefined;

/** A schema of a server: as models get it, and its validation. */
export interface RemoteSchema {
  readonly schema: JsonSchema;
  readonly judge: Judge;
}

/** The reason why a declaration is left out. */
export interface Unusable {
  readonly problem: string;
}

/**
 * Reads a schema that a server sent, with the validator of the SDK. Each has a validator of its own: in a shared one, the id of
 * a schema could replace another.
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

/** Returns the params of a bridged tool as a Standard Schema, like those of any other library. */
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

/** Returns the schema of arguments; a server that declares none accepts none. */
function objectSchema(given: unknown): unknown {
  if (given === undefined || given === null) return { type: 'object', properties: {} };
  const isBare = typeof given === 'object' && Object.keys(given).every((key) => ['type', '$schema'].includes(key));
  return isBare ? { type: 'object', ...given, properties: {} } : given;
}

/** Parses `data/items/0 must be string, data must have required property 'a'` into issues with paths. */
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

const script = lazy(() => new Script('act()'));
const room = lazy((): Context => createContext({ act: undefined }));

/**
 * Runs work whose duration depends on a server's schema, with a time limit: patterns and recursive unions can make a check of a
 * short text take years. The context is not a security boundary here; it is used because it has a time limit.
 *
 * @param milliseconds of elapsed time, which also pass while a busy machine does other work
 * @throws what `act` throws; an Error with the code ERR_SCRIPT_EXECUTION_TIMEOUT when the time is over
 */
function watched<T>(milliseconds: number, act: () => T): T {
  let result: { readonly value: T } | undefined;
  const context = room();
  context['act'] = () => {
    result = { value: act() };
  };
  try {
    script().runInContext(context, { timeout: milliseconds });
  } finally {
    context['act'] = undefined;
  }
  return (result as unknown as { readonly value: T }).value;
}
