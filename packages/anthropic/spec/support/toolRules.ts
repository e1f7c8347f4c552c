import { isJson, list, members, objects, shown, strangers, type Json } from '../../../openai/spec/support/json';
import type { RequestRule } from '../../../openai/spec/support/RequestRule';
import { children, objectProblems, schemaProblems } from '../../../openai/spec/support/toolRules';

const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const LEGAL_PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;
const KEYS = ['name', 'description', 'input_schema', 'strict', 'cache_control', 'defer_loading', 'input_examples'];
const CHOICES = ['auto', 'any', 'tool', 'none'];
const KEYWORDS =
  'type title description enum const properties required additionalProperties items anyOf $ref $defs format minItems'.split(
    ' ',
  );
const FORMATS = 'date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' ');
const MOST = { tools: 20, optionalProperties: 24, unions: 16 };

/** A schema, and how it is reached. */
interface Node {
  readonly place: string;
  readonly schema: Json;
}

export const toolRules: readonly RequestRule[] = [
  {
    id: 'tool-shape',
    what: 'A tool is an object with the known fields.',
    check: ({ tools }) =>
      list(tools).flatMap((tool, index) => {
        const place = `tools.${String(index)}`;
        if (!isJson(tool)) return [`${place}: Input should be a valid dictionary`];
        const known = isSearch(tool) ? ['type', 'name', 'cache_control'] : KEYS;
        return strangers(tool, known).map((key) => `${place}.custom.${key}: Extra inputs are not permitted`);
      }),
  },
  {
    id: 'tool-name',
    what: 'A tool has a name of 1 to 64 letters, digits, underscores and hyphens.',
    check: ({ tools }) =>
      objects(tools)
        .filter(([, { name }]) => typeof name !== 'string' || !LEGAL_NAME.test(name))
        .map(([index]) => `tools.${String(index)}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`),
  },
  {
    id: 'tool-name-unique',
    what: 'No two tools have one name.',
    check: ({ tools }) => {
      const names = objects(tools).map(([, { name }]) => name);
      return names.some((name, index) => names.indexOf(name) !== index) ? ['tools: Tool names must be unique.'] : [];
    },
  },
  {
    id: 'input-schema',
    what: 'The input is an object without a union at its root, in a schema that is one.',
    check: ({ tools }) =>
      custom(tools).flatMap(([index, { input_schema: schema }]) => {
        const place = `tools.${String(index)}.custom.input_schema`;
        return [...objectProblems(schema, place), ...schemaProblems(schema, place)];
      }),
  },
  {
    id: 'property-keys',
    what: 'The properties of the input have names of 1 to 64 letters, digits, underscores, dots and hyphens.',
    check: ({ tools }) =>
      objects(tools)
        .filter(([, { input_schema: schema }]) =>
          members(isJson(schema) ? schema['properties'] : undefined).some(([name]) => !LEGAL_PROPERTY.test(name)),
        )
        .map(
          ([index]) =>
            `tools.${String(index)}.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`,
        ),
  },
  {
    id: 'input-examples',
    what: 'Examples of inputs are objects with the required properties, and no others than the schema knows.',
    check: ({ tools }) =>
      custom(tools).flatMap(([index, { input_schema: schema, input_examples: examples }]) => {
        if (examples === undefined) return [];
        const known = isJson(schema) ? members(schema['properties']).map(([name]) => name) : [];
        const required = isJson(schema) ? list(schema['required']) : [];
        const isGood = (example: unknown): boolean =>
          isJson(example) &&
          strangers(example, known).length === 0 &&
          required.every((name) => Object.hasOwn(example, String(name)));
        return list(examples).length > 0 && list(examples).every(isGood)
          ? []
          : [`tools.${String(index)}.custom.input_examples: Input does not match the tool's input_schema`];
      }),
  },
  {
    id: 'tool-deferred',
    what: 'Not every tool is deferred, unless it can be searched for, and none that is deferred is marked for the cache.',
    check: ({ tools }) => {
      const deferred = objects(tools).filter(([, tool]) => tool['defer_loading'] === true);
      const isOffering = objects(tools).some(([, tool]) => tool['defer_loading'] !== true);
      return [
        ...(deferred.length > 0 && !isOffering ? ['At least one tool must have defer_loading=false.'] : []),
        ...deferred
          .filter(([, tool]) => tool['cache_control'] !== undefined)
          .map(([index]) => `tools.${String(index)}: Tools with defer_loading cannot use prompt caching.`),
      ];
    },
  },
  {
    id: 'tool-choice',
    what: 'A choice stands beside tools, and names one that is offered.',
    check: ({ tools, tool_choice: choice }) => {
      if (choice === undefined) return [];
      if (list(tools).length === 0) return ['tool_choice: tool_choice may only be specified while providing tools'];
      if (!isJson(choice) || !CHOICES.includes(String(choice['type']))) return ['tool_choice: Input tag is unknown'];
      const isOffered = objects(tools).some(([, { name }]) => name === choice['name']);
      return choice['type'] !== 'tool' || isOffered ? [] : [`tool_choice: Tool '${shown(choice['name'])}' not found`];
    },
  },
];

/** The tools that are not the provider's own. */
function custom(tools: unknown): ReturnType<typeof objects> {
  return objects(tools).filter(([, tool]) => !isSearch(tool));
}

function isSearch({ type }: Json): boolean {
  return type === 'tool_search_tool_bm25_20251119';
}

export const strictRules: readonly RequestRule[] = [
  {
    id: 'strict-closed',
    what: 'Every object forbids further properties.',
    check: each(({ place, schema }) =>
      schema['type'] === 'object' && schema['additionalProperties'] !== false
        ? [`${place}: For 'object' type, 'additionalProperties' must be explicitly set to false`]
        : [],
    ),
  },
  {
    id: 'strict-keywords',
    what: 'Only the keywords and formats of the subset are used, and lists are empty or not, no more.',
    check: each(({ place, schema }) => [
      ...Object.keys(schema)
        .filter((keyword) => !KEYWORDS.includes(keyword))
        .map((keyword) => `${place}: For '${shown(schema['type'])}' type, property '${keyword}' is not supported`),
      ...(schema['format'] === undefined || FORMATS.includes(shown(schema['format']))
        ? []
        : [`${place}: format '${shown(schema['format'])}' is not supported`]),
      ...(Number(schema['minItems'] ?? 0) > 1
        ? [`${place}: 'minItems' values other than 0 or 1 are not supported`]
        : []),
    ]),
  },
  {
    id: 'strict-type',
    what: 'A type is one word.',
    check: each(({ place, schema }) => (Array.isArray(schema['type']) ? [`${place}: 'type' must be a string`] : [])),
  },
  {
    id: 'strict-recursion',
    what: 'No schema leads back to itself.',
    check: (body) =>
      strictRoots(body).flatMap(({ place, schema }) =>
        leadsBack(schema, schema, []) ? [`${place}: Recursive schemas are not supported`] : [],
      ),
  },
  {
    id: 'strict-limits',
    what: `At most ${String(MOST.tools)} strict tools, and in all ${String(MOST.optionalProperties)} optional properties and ${String(MOST.unions)} unions.`,
    check: (body) => {
      const all = strictRoots(body).flatMap(nodes);
      const counted = {
        tools: objects(body['tools']).filter(([, { strict }]) => strict === true).length,
        optionalProperties: all.reduce(
          (sum, { schema }) => sum + members(schema['properties']).length - list(schema['required']).length,
          0,
        ),
        unions: all.filter(({ schema }) => schema['anyOf'] !== undefined).length,
      };
      return Object.entries(MOST)
        .filter(([what, most]) => counted[what as keyof typeof counted] > most)
        .map(([what, most]) => `Schemas contains too many ${what}; at most ${String(most)} are allowed`);
    },
  },
];

/** The form that the answer shall have; undefined when any text will do. */
export function wantedForm(body: Json): Json | undefined {
  const { output_config: config } = body;
  return isJson(config) && isJson(config['format']) ? config['format'] : undefined;
}

function strictRoots(body: Json): readonly Node[] {
  const form = wantedForm(body)?.['schema'];
  return [
    ...objects(body['tools']).flatMap(([index, { strict, input_schema: schema }]) =>
      strict === true && isJson(schema) ? [{ place: `tools.${String(index)}.custom`, schema }] : [],
    ),
    ...(isJson(form) ? [{ place: 'output_config.format.schema', schema: form }] : []),
  ];
}

function nodes(root: Node): readonly Node[] {
  const inside = children(root.schema).flatMap(([key, child]) =>
    isJson(child) ? nodes({ place: `${root.place}.${key}`, schema: child }) : [],
  );
  return [root, ...inside];
}

function each(check: (node: Node) => readonly string[]): RequestRule['check'] {
  return (body) => strictRoots(body).flatMap((root) => nodes(root).flatMap(check));
}

function leadsBack(root: Json, schema: Json, route: readonly Json[]): boolean {
  if (route.includes(schema)) return true;
  const { $ref: ref } = schema;
  const [, name = ''] = /^#\/\$defs\/(.+)$/.exec(shown(ref ?? '')) ?? [];
  const defined = isJson(root['$defs']) ? root['$defs'][name] : undefined;
  const target = ref === '#' ? root : defined;
  const next = [
    ...children(schema)
      .filter(([key]) => !key.startsWith('$defs'))
      .map(([, child]) => child),
    target,
  ];
  return next.some((child) => isJson(child) && leadsBack(root, child, [...route, schema]));
}
