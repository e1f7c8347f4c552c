import { isJson, strangers, type Json } from './json';
import type { RequestRule } from './RequestRule';
import { objectProblems, schemaProblems } from './toolRules';

const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const PLACE = 'response_format.json_schema';

/** The form that is asked for, when one is. */
export function wantedForm({ response_format: format }: Json): Json | undefined {
  return isJson(format) && isJson(format['json_schema']) ? format['json_schema'] : undefined;
}

/** The rules of `response_format`. */
export const outputRules: readonly RequestRule[] = [
  {
    id: 'response-format',
    what: 'response_format is text, json_object, or json_schema with the known fields.',
    check: ({ response_format: format }) => {
      if (format === undefined) return [];
      if (!isJson(format)) return ["Invalid type for 'response_format': expected an object."];
      const { type, json_schema: form } = format;
      if (type === 'text' || type === 'json_object')
        return strangers(format, ['type']).map((key) => `Unknown parameter: 'response_format.${key}'.`);
      if (type !== 'json_schema') return [`Invalid value: '${String(type)}' - 'response_format.type'`];
      if (!isJson(form)) return [`Missing required parameter: '${PLACE}'.`];
      const strange = [
        ...strangers(format, ['type', 'json_schema']),
        ...strangers(form, ['name', 'description', 'schema', 'strict']),
      ];
      const { strict } = form;
      return [
        ...strange.map((key) => `Unknown parameter: 'response_format.${key}'.`),
        ...(strict === undefined || strict === null || typeof strict === 'boolean'
          ? []
          : [`Invalid type for '${PLACE}.strict': expected a boolean.`]),
      ];
    },
  },
  {
    id: 'response-name',
    what: 'A form has a name of 1 to 64 letters, digits, underscores and hyphens.',
    check: (body) => {
      const form = wantedForm(body);
      const { name } = form ?? { name: 'none' };
      return typeof name === 'string' && LEGAL_NAME.test(name)
        ? []
        : [`Invalid '${PLACE}.name': string does not match pattern '^[a-zA-Z0-9_-]+$'.`];
    },
  },
  {
    id: 'response-schema',
    what: 'A form is the schema of an object, and no union at the root.',
    check: (body) => {
      const form = wantedForm(body);
      if (form === undefined) return [];
      return [...objectProblems(form['schema'], PLACE), ...schemaProblems(form['schema'], PLACE)];
    },
  },
];
