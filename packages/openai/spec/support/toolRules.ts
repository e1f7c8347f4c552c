import { isJson, list, members, objects, strangers, type Json } from './json';
import type { RequestRule } from './RequestRule';

const MOST_TOOLS = 128;
const LONGEST_DESCRIPTION = 1_024;
const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Every function that is offered, with its place. */
export function offered({ tools }: Json): readonly (readonly [string, Json])[] {
  return objects(tools).flatMap(([index, { function: offer }]) =>
    isJson(offer) ? [[`tools[${String(index)}].function`, offer] as const] : [],
  );
}

export const toolRules: readonly RequestRule[] = [
  {
    id: 'tools-count',
    what: `tools is a list of 1 to ${String(MOST_TOOLS)}, or not there.`,
    check: ({ tools }) => {
      if (tools === undefined) return [];
      if (list(tools).length === 0) return ["[] is too short - 'tools'"];
      return list(tools).length <= MOST_TOOLS
        ? []
        : [`Invalid 'tools': array too long. Expected an array with maximum length ${String(MOST_TOOLS)}.`];
    },
  },
  {
    id: 'tool-shape',
    what: 'A tool is a function with the known fields.',
    check: ({ tools }) =>
      list(tools).flatMap((tool, index) => {
        const place = `tools[${String(index)}]`;
        if (!isJson(tool) || tool['type'] !== 'function' || !isJson(tool['function']))
          return [`Missing required parameter: '${place}.function'.`];
        const strange = [
          ...strangers(tool, ['type', 'function']),
          ...strangers(tool['function'], ['name', 'description', 'parameters', 'strict']),
        ];
        const { strict } = tool['function'];
        const flag = strict === undefined || strict === null || typeof strict === 'boolean';
        return [
          ...strange.map((key) => `Unknown parameter: '${place}.${key}'.`),
          ...(flag ? [] : [`Invalid type for '${place}.function.strict': expected a boolean.`]),
        ];
      }),
  },
  {
    id: 'tool-name',
    what: 'A tool has a name of 1 to 64 letters, digits, underscores and hyphens.',
    check: (body) =>
      offered(body)
        .filter(([, { name }]) => typeof name !== 'string' || !LEGAL_NAME.test(name))
        .map(([place]) => `Invalid '${place}.name': string does not match pattern '^[a-zA-Z0-9_-]+$'.`),
  },
  {
    id: 'tool-name-unique',
    what: 'No two tools have one name.',
    check: (body) => {
      const names = offered(body).map(([, { name }]) => name);
      return names
        .filter((name, index) => names.indexOf(name) !== index)
        .map((name) => `Tool names must be unique: '${String(name)}'.`);
    },
  },
  {
    id: 'tool-description',
    what: `A description is a text of at most ${String(LONGEST_DESCRIPTION)} characters.`,
    check: (body) =>
      offered(body)
        .filter(([, { description }]) => description !== undefined)
        .filter(([, { description }]) => typeof description !== 'string' || description.length > LONGEST_DESCRIPTION)
        .map(
          ([place]) =>
            `Invalid '${place}.description': expected a string with maximum length ${String(LONGEST_DESCRIPTION)}.`,
        ),
  },
  {
    id: 'parameters-object',
    what: 'Parameters are the schema of an object, and no union at the root.',
    check: (body) =>
      offered(body).flatMap(([place, { parameters }]) =>
        parameters === undefined ? [] : objectProblems(parameters, place),
      ),
  },
  {
    id: 'parameters-schema',
    what: 'Parameters are a JSON Schema: known types, required lists strings, arrays say what they hold.',
    check: (body) => offered(body).flatMap(([place, { parameters }]) => schemaProblems(parameters, place)),
  },
];

/** The reason why a schema may not describe an object. */
export function objectProblems(schema: unknown, place: string): readonly string[] {
  if (!isJson(schema) || schema['type'] !== 'object')
    return [`Invalid schema for '${place}': schema must be a JSON Schema of 'type: "object"'.`];
  const union = ['anyOf', 'oneOf', 'allOf', 'enum', 'not'].filter((keyword) => keyword in schema);
  return union.map((keyword) => `Invalid schema for '${place}': schema must not have '${keyword}' at the top level.`);
}

/** The reason why a schema is invalid. */
export function schemaProblems(schema: unknown, place: string): readonly string[] {
  if (!isJson(schema)) return schema === undefined || typeof schema === 'boolean' ? [] : [`${place} is no schema.`];
  const { type, required } = schema;
  const types = type === undefined ? [] : Array.isArray(type) ? list(type) : [type];
  const wrongTypes = types.filter((name) => !TYPES.includes(String(name)));
  return [
    ...wrongTypes.map((name) => `${place}: '${String(name)}' is not valid under any of the given schemas.`),
    ...(required === undefined || (Array.isArray(required) && list(required).every((name) => typeof name === 'string'))
      ? []
      : [`${place}: 'required' must be a list of strings.`]),
    ...(types.includes('array') && schema['items'] === undefined && schema['prefixItems'] === undefined
      ? [`In context=('${place}'), array schema missing items.`]
      : []),
    ...children(schema).flatMap(([key, child]) => schemaProblems(child, `${place}.${key}`)),
  ];
}

/** The schemas inside a schema. */
export function children(schema: Json): readonly (readonly [string, unknown])[] {
  const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((keyword) =>
    list(schema[keyword]).map((child, index) => [`${keyword}[${String(index)}]`, child] as const),
  );
  const maps = ['properties', '$defs', 'definitions'].flatMap((keyword) =>
    members(schema[keyword]).map(([name, child]) => [`${keyword}.${name}`, child] as const),
  );
  const single = schema['items'] === undefined ? [] : [['items', schema['items']] as const];
  return [...maps, ...single, ...lists];
}
