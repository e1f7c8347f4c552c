import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from 'toolwright';
import { isObject } from 'toolwright/internal/light';

/** A difference of two schemas of arguments. */
export interface SchemaChange {
  /** The path, such as `/orderId` or `/items/0`; empty for the whole schema. */
  readonly path: string;
  /** True if arguments that were valid before may be refused now. */
  readonly breaking: boolean;
  readonly what: string;
}

interface Side {
  readonly schema: JsonSchema;
  /** The whole schema, for references into it. */
  readonly root: JsonSchema;
}

/** Keywords with a number, each with the direction that refuses more values. */
const BOUNDS: Readonly<Record<string, 'least' | 'most'>> = {
  minimum: 'least',
  exclusiveMinimum: 'least',
  minLength: 'least',
  minItems: 'least',
  minProperties: 'least',
  maximum: 'most',
  exclusiveMaximum: 'most',
  maxLength: 'most',
  maxItems: 'most',
  maxProperties: 'most',
};

/** Keywords of which every change may refuse arguments. */
const EXACT = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'additionalProperties', 'not', 'contentEncoding'];

/** Compares two schemas of a tool's arguments: are arguments for the first schema valid for the second one? */
export function compareSchemas(before: JsonSchema, after: JsonSchema): readonly SchemaChange[] {
  return compareSides({ schema: before, root: before }, { schema: after, root: after }, '', new Map());
}

/** The schemas with which each schema was compared already, because schemas may refer to themselves. */
type Seen = Map<JsonSchema, Set<JsonSchema>>;

function compareSides(one: Side, other: Side, path: string, seen: Seen): readonly SchemaChange[] {
  const partners = seen.get(one.schema) ?? new Set();
  seen.set(one.schema, partners);
  if (partners.has(other.schema)) return [];
  partners.add(other.schema);
  const [before, after] = [resolveReference(one), resolveReference(other)];
  return [
    ...compareTypes(before.schema, after.schema, path),
    ...compareValues(before.schema, after.schema, path),
    ...compareBounds(before.schema, after.schema, path),
    ...compareKeywords(before.schema, after.schema, path),
    ...compareProperties(before, after, path, seen),
    ...compareItems(before, after, path, seen),
    ...compareAlternatives(before, after, path, seen),
  ];
}

function compareTypes(
  { type: before }: JsonSchema,
  { type: after }: JsonSchema,
  path: string,
): readonly SchemaChange[] {
  const [had, has] = [typesOf(before), typesOf(after)];
  if (isDeepStrictEqual(had, has)) return [];
  const narrowed = has !== undefined && (had === undefined || had.some((type) => !isAccepted(has, type)));
  const text = (list: readonly string[] | undefined): string => list?.join(' or ') ?? 'any';
  return [{ path, breaking: narrowed, what: `type ${text(had)} is now ${text(has)}` }];
}

function isAccepted(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function compareValues(before: JsonSchema, after: JsonSchema, path: string): readonly SchemaChange[] {
  const [had, has] = [valuesOf(before), valuesOf(after)];
  if (isDeepStrictEqual(had, has)) return [];
  if (has === undefined) return [{ path, breaking: false, what: 'any value is allowed now' }];
  if (had === undefined)
    return [{ path, breaking: true, what: `only ${formatValues(has)} ${has.length === 1 ? 'is' : 'are'} allowed now` }];
  const gone = had.filter((value) => !has.some((each) => isDeepStrictEqual(each, value)));
  const added = has.filter((value) => !had.some((each) => isDeepStrictEqual(each, value)));
  return [
    ...(gone.length > 0
      ? [{ path, breaking: true, what: `${formatValues(gone)} ${gone.length === 1 ? 'is' : 'are'} no longer allowed` }]
      : []),
    ...(added.length > 0
      ? [{ path, breaking: false, what: `${formatValues(added)} ${added.length === 1 ? 'is' : 'are'} allowed now` }]
      : []),
  ];
}

function compareBounds(before: JsonSchema, after: JsonSchema, path: string): readonly SchemaChange[] {
  return Object.entries(BOUNDS).flatMap(([keyword, kind]) => {
    const [had, has] = [before[keyword], after[keyword]] as [number | undefined, number | undefined];
    if (had === has) return [];
    const narrowed = has !== undefined && (had === undefined || (kind === 'least' ? has > had : has < had));
    return [{ path, breaking: narrowed, what: `${keyword} ${String(had ?? 'none')} is now ${String(has ?? 'none')}` }];
  });
}

function compareKeywords(before: JsonSchema, after: JsonSchema, path: string): readonly SchemaChange[] {
  return EXACT.flatMap((keyword) => {
    const [had, has] = [before[keyword], after[keyword]];
    if (isDeepStrictEqual(had, has) || (typeof had === 'object' && typeof has === 'object')) return [];
    const narrowed = has !== undefined && has !== true;
    return [{ path, breaking: narrowed, what: `${keyword} ${formatValues([had])} is now ${formatValues([has])}` }];
  });
}

function compareProperties(before: Side, after: Side, path: string, seen: Seen): readonly SchemaChange[] {
  const [had, has] = [toRecord(before.schema['properties']), toRecord(after.schema['properties'])];
  const required = new Set((after.schema['required'] as readonly string[] | undefined) ?? []);
  const was = new Set((before.schema['required'] as readonly string[] | undefined) ?? []);
  const isClosed = after.schema['additionalProperties'] === false;
  return [...new Set([...Object.keys(had), ...Object.keys(has)])].flatMap((name): readonly SchemaChange[] => {
    const at = `${path}/${name}`;
    const [older, newer] = [had[name], has[name]];
    if (newer === undefined) return [{ path: at, breaking: isClosed, what: 'the parameter was removed' }];
    if (older === undefined)
      return [
        required.has(name)
          ? { path: at, breaking: true, what: 'a required parameter was added' }
          : { path: at, breaking: false, what: 'an optional parameter was added' },
      ];
    const inner = compareSides({ ...before, schema: older }, { ...after, schema: newer }, at, seen);
    if (required.has(name) === was.has(name)) return inner;
    return required.has(name)
      ? [{ path: at, breaking: true, what: 'the parameter is required now' }, ...inner]
      : [{ path: at, breaking: false, what: 'the parameter is optional now' }, ...inner];
  });
}

function compareItems(before: Side, after: Side, path: string, seen: Seen): readonly SchemaChange[] {
  return ['items', 'additionalProperties'].flatMap((keyword) => {
    const [had, has] = [before.schema[keyword], after.schema[keyword]];
    if (typeof had !== 'object' || typeof has !== 'object' || had === null || has === null) return [];
    const at = `${path}/${keyword === 'items' ? '[]' : '*'}`;
    return compareSides({ ...before, schema: had as JsonSchema }, { ...after, schema: has as JsonSchema }, at, seen);
  });
}

/** Compares alternatives: each old one has to equal or match a new one. */
function compareAlternatives(before: Side, after: Side, path: string, seen: Seen): readonly SchemaChange[] {
  return ['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((keyword): readonly SchemaChange[] => {
    const had = toList(before.schema[keyword]);
    const has = toList(after.schema[keyword]);
    if (had === undefined && has === undefined) return [];
    if (keyword === 'prefixItems' || keyword === 'allOf') {
      const isSame = isDeepStrictEqual(had, has);
      return isSame ? [] : [{ path, breaking: has !== undefined, what: `${keyword} changed` }];
    }
    if (has === undefined) return [{ path, breaking: false, what: 'any alternative is allowed now' }];
    const fits = (schema: JsonSchema): boolean =>
      has.some(
        (each) =>
          !compareSides({ ...before, schema }, { ...after, schema: each }, path, seen).some(({ breaking }) => breaking),
      );
    const gone = (had ?? [before.schema]).filter((schema) => !fits(schema));
    if (gone.length > 0)
      return [
        { path, breaking: true, what: `an alternative is no longer allowed: ${gone.map(nameSchema).join(', ')}` },
      ];
    return (had?.length ?? 1) < has.length ? [{ path, breaking: false, what: 'an alternative was added' }] : [];
  });
}

function nameSchema({ title, $ref, type, const: value }: JsonSchema): string {
  const name = title ?? (typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined) ?? type ?? value;
  return typeof name === 'string' ? name : JSON.stringify(name ?? 'any');
}

/** Follows references within the document. A circular reference ends as a schema without rules. */
function resolveReference({ schema, root }: Side, followed: readonly string[] = []): Side {
  const { $ref, ...beside } = schema as { readonly $ref?: unknown };
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return { schema, root };
  if (followed.includes($ref)) return { schema: beside, root };
  const target = $ref
    .slice(1)
    .split('/')
    .filter((part) => part !== '')
    .reduce<unknown>((at, part) => toRecord(at)[part.replace(/~1/g, '/').replace(/~0/g, '~')], root);
  return resolveReference({ schema: { ...(toRecord(target) as JsonSchema), ...beside }, root }, [...followed, $ref]);
}

function typesOf(type: unknown): readonly string[] | undefined {
  if (type === undefined) return undefined;
  return (Array.isArray(type) ? [...(type as readonly string[])] : [type as string]).sort();
}

function valuesOf({ enum: values, const: value }: JsonSchema): readonly unknown[] | undefined {
  return value === undefined ? toList<unknown>(values) : [value];
}

function toList<T = JsonSchema>(value: unknown): readonly T[] | undefined {
  return Array.isArray(value) ? (value as readonly T[]) : undefined;
}

function toRecord(value: unknown): Readonly<Record<string, JsonSchema>> {
  return isObject(value) ? (value as Readonly<Record<string, JsonSchema>>) : {};
}

function formatValues(values: readonly unknown[]): string {
  return values.map((value) => (value === undefined ? 'none' : JSON.stringify(value))).join(', ');
}
