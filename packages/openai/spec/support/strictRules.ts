import { isJson, list, members, shown, type Json } from './json';
import { wantedForm } from './outputRules';
import type { RequestRule } from './RequestRule';
import { children, offered } from './toolRules';

const KEYWORDS =
  'type title description enum const properties required additionalProperties items anyOf $ref $defs definitions pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'.split(
    ' ',
  );
const FORMATS = 'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' ');
const DEEPEST = 10;
const MOST_PROPERTIES = 5_000;
const MOST_ENUM_VALUES = 1_000;
const MOST_CHARACTERS = 120_000;

/** A schema, and how it is reached from the parameters of its tool. */
interface Node {
  readonly place: string;
  readonly schema: Json;
  /** Objects and lists on the way, the root being the first. */
  readonly depth: number;
}

/** The rules of strict mode: what it can say, it guarantees, and it refuses what it cannot say. */
export const strictRules: readonly RequestRule[] = [
  {
    id: 'strict-closed',
    what: 'Every object forbids further properties.',
    check: each(({ place, schema }) =>
      isObject(schema) && schema['additionalProperties'] !== false
        ? [`In context=(${place}), 'additionalProperties' is required to be supplied and to be false.`]
        : [],
    ),
  },
  {
    id: 'strict-required',
    what: 'Every property is required.',
    check: each(({ place, schema }) => {
      const missing = members(schema['properties'])
        .map(([name]) => name)
        .filter((name) => !list(schema['required']).includes(name));
      const unknown = list(schema['required']).filter(
        (name) => !Object.hasOwn(Object(schema['properties'] ?? {}) as object, String(name)),
      );
      return [
        ...missing.map(
          (name) =>
            `In context=(${place}), 'required' is required to be supplied and to be an array including every key in properties. Missing '${name}'.`,
        ),
        ...unknown.map((name) => `In context=(${place}), 'required' names '${String(name)}', which is no property.`),
      ];
    }),
  },
  {
    id: 'strict-keywords',
    what: 'Only the keywords of the subset are used.',
    check: each(({ place, schema }) =>
      Object.keys(schema)
        .filter((keyword) => !KEYWORDS.includes(keyword))
        .map((keyword) => `In context=(${place}), '${keyword}' is not permitted.`),
    ),
  },
  {
    id: 'strict-format',
    what: 'Only the formats of the subset are used.',
    check: each(({ place, schema: { format } }) =>
      format === undefined || FORMATS.includes(shown(format))
        ? []
        : [`In context=(${place}), '${shown(format)}' is not a valid format.`],
    ),
  },
  {
    id: 'strict-type',
    what: 'Every schema says its type, or refers to one that does.',
    check: each(({ place, schema }) =>
      ['type', '$ref', 'anyOf'].some((keyword) => keyword in schema)
        ? []
        : [`In context=(${place}), schema must have a 'type' key.`],
    ),
  },
  {
    id: 'strict-ref',
    what: 'A $ref stands alone, and leads to a definition of the same schema.',
    check: (body) =>
      strictRoots(body).flatMap(({ place, schema: root }) =>
        nodes({ place, schema: root, depth: 1 }).flatMap(({ place: at, schema }) => refProblems(schema, root, at)),
      ),
  },
  {
    id: 'strict-limits',
    what: `At most ${String(DEEPEST)} levels, ${String(MOST_PROPERTIES)} properties, ${String(MOST_ENUM_VALUES)} values of enums, ${String(MOST_CHARACTERS)} characters of names.`,
    check: (body) => strictRoots(body).flatMap((root) => limitProblems(root.place, nodes(root))),
  },
];

function refProblems(schema: Json, root: Json, place: string): readonly string[] {
  const { $ref: ref, ...beside } = schema;
  if (ref === undefined) return [];
  const siblings = Object.keys(beside);
  if (siblings.length > 0) return [`context=(${place}), $ref cannot have keywords {'${siblings.join("', '")}'}.`];
  const [, keyword = '', name = ''] = /^#\/(\$defs|definitions)\/(.+)$/.exec(shown(ref)) ?? [];
  const found = ref === '#' || (isJson(root[keyword]) && Object.hasOwn(root[keyword], name));
  return found ? [] : [`In context=(${place}), reference '${shown(ref)}' leads nowhere.`];
}

function limitProblems(place: string, all: readonly Node[]): readonly string[] {
  const names = all.flatMap(({ schema }) => members(schema['properties']).map(([name]) => name));
  const values = all.flatMap(({ schema }) => list(schema['enum']));
  const characters = [...names, ...values].reduce<number>((sum, word) => sum + String(word).length, 0);
  const deepest = Math.max(...all.map(({ depth }) => depth));
  return [
    ...(deepest > DEEPEST
      ? [`${place}: ${String(deepest)} levels of nesting exceeds limit of ${String(DEEPEST)}.`]
      : []),
    ...(names.length > MOST_PROPERTIES ? [`${place}: ${String(names.length)} properties exceeds the limit.`] : []),
    ...(values.length > MOST_ENUM_VALUES ? [`${place}: ${String(values.length)} enum values exceeds the limit.`] : []),
    ...(characters > MOST_CHARACTERS ? [`${place}: ${String(characters)} characters of names exceeds the limit.`] : []),
  ];
}

/** A rule on every schema of every strict tool, and of a strict form of the answer. */
function each(check: (node: Node) => readonly string[]): RequestRule['check'] {
  return (body) => strictRoots(body).flatMap((root) => nodes(root).flatMap(check));
}

function strictRoots(body: Json): readonly Node[] {
  const form = wantedForm(body);
  const described = [
    ...offered(body).map(([place, { strict, parameters }]) => ({ place, strict, schema: parameters })),
    ...(form === undefined ? [] : [{ place: 'response_format', strict: form['strict'], schema: form['schema'] }]),
  ];
  return described.flatMap(({ place, strict, schema }) =>
    strict === true && isJson(schema) ? [{ place, schema, depth: 1 }] : [],
  );
}

function nodes(root: Node): readonly Node[] {
  const inside = children(root.schema).flatMap(([key, child]) => {
    const deeper = /^(properties|items)/.test(key) && isJson(child) && isNested(child) ? 1 : 0;
    return isJson(child) ? nodes({ place: `${root.place}.${key}`, schema: child, depth: root.depth + deeper }) : [];
  });
  return [root, ...inside];
}

function isNested(schema: Json): boolean {
  return isObject(schema) || hasType(schema, 'array');
}

function isObject(schema: Json): boolean {
  return hasType(schema, 'object');
}

function hasType({ type }: Json, name: string): boolean {
  return type === name || list(type).includes(name);
}
