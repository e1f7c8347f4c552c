import type * as fastCheck from 'fast-check';
import type { JsonValue } from 'toolwright';
import { isRecord } from 'toolwright/internal/light';

type Schema = Readonly<Record<string, unknown>>;
type FastCheck = typeof fastCheck;
type Values = fastCheck.Arbitrary<unknown>;

const DEEP = 6;

/** Creates arguments that match a JSON Schema, also at the edges of its ranges. The same seed creates the same arguments. */
export function createValid(library: FastCheck, schema: Schema, count: number, seed: number): readonly string[] {
  const found = library.sample(createValues(library, schema, DEEP), { numRuns: count, seed });
  return found.map((value) => JSON.stringify(value));
}

/** Creates arguments to attack a tool with: valid ones at the edges, and ones that differ from valid ones in one place. */
export function createHostile(
  library: FastCheck,
  schema: Schema,
  { base, count, seed }: { readonly base: string; readonly count: number; readonly seed: number },
): readonly string[] {
  const valid = createValid(library, schema, count, seed);
  const good = JSON.parse(base) as unknown;
  const broken = isRecord(good) ? Object.keys(good).flatMap((key) => breakValue(good, key)) : [];
  return [...new Set([...valid, ...broken, ...FIXED])];
}

const LONG_TEXT_CHARS = 1_000_000;

/** Arguments that fit no tool, and texts that are not JSON. */
const FIXED: readonly string[] = [
  '',
  'null',
  '[]',
  '{"a":1e999}',
  '{"a":NaN}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  JSON.stringify({ a: 'x'.repeat(LONG_TEXT_CHARS) }),
];

/** Returns the arguments with other values for one key: of other types, too long, and with characters that often break things. */
function breakValue(good: Readonly<Record<string, unknown>>, key: string): readonly string[] {
  const values: readonly (JsonValue | undefined)[] = [
    undefined,
    null,
    -1,
    1e308,
    '',
    '\u0000\u202e\ud800',
    '../../etc/passwd',
    "'; DROP TABLE orders; --",
    'constructor',
    '__proto__',
    [],
    { polluted: true },
  ];
  const long = typeof good[key] === 'string' ? ['x'.repeat(LONG_TEXT_CHARS)] : [];
  return [...values, ...long].map((value) => JSON.stringify({ ...good, [key]: value }));
}

function createValues(library: FastCheck, schema: unknown, depth: number): Values {
  if (!isRecord(schema)) return library.constantFrom<unknown>(null, true, 0, '');
  if ('const' in schema) return library.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return library.constantFrom(...(schema['enum'] as readonly unknown[]));
  for (const name of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[name]))
      return library.oneof(...(schema[name] as readonly unknown[]).map((each) => createValues(library, each, depth)));
  const { type } = schema;
  if (Array.isArray(type))
    return library.oneof(...type.map((each: unknown) => createValues(library, { ...schema, type: each }, depth)));
  switch (type) {
    case 'object':
      return createObjects(library, schema, depth);
    case 'array':
      return createLists(library, schema, depth);
    case 'integer':
    case 'number':
      return createNumbers(library, schema);
    case 'string':
      return createTexts(library, schema);
    case 'boolean':
      return library.boolean();
    default:
      return library.constant(null);
  }
}

function createObjects(library: FastCheck, schema: Schema, depth: number): Values {
  const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : [];
  const shown = depth > 0 ? properties : properties.filter(([name]) => required.includes(name));
  const model = Object.fromEntries(shown.map(([name, each]) => [name, createValues(library, each, depth - 1)]));
  return library.record(model, { requiredKeys: required.filter((name) => name in model) });
}

function createLists(library: FastCheck, schema: Schema, depth: number): Values {
  const minLength = readNumber(schema['minItems']) ?? 0;
  const maxLength = Math.max(minLength, Math.min(readNumber(schema['maxItems']) ?? minLength + 3, minLength + 3));
  return library.array(createValues(library, schema['items'], depth - 1), { minLength, maxLength });
}

function createNumbers(library: FastCheck, schema: Schema): Values {
  const isInteger = schema['type'] === 'integer';
  const min = readNumber(schema['minimum']) ?? readNumber(schema['exclusiveMinimum']);
  const max = readNumber(schema['maximum']) ?? readNumber(schema['exclusiveMaximum']);
  const low = min ?? Math.min(-1_000_000, (max ?? 0) - 1_000_000);
  const high = max ?? Math.max(1_000_000, low + 1_000_000);
  return isInteger
    ? library.integer({ min: Math.ceil(low), max: Math.max(Math.ceil(low), Math.floor(high)) })
    : library.double({ min: low, max: high, noNaN: true });
}

function createTexts(library: FastCheck, schema: Schema): Values {
  const { pattern } = schema;
  if (typeof pattern === 'string') {
    try {
      return library.stringMatching(new RegExp(pattern, 'u'));
    } catch {
      // The pattern has a part that the library cannot generate; the tool will refuse most of the texts below.
    }
  }
  const minLength = readNumber(schema['minLength']) ?? 0;
  const maxLength = Math.max(minLength, Math.min(readNumber(schema['maxLength']) ?? minLength + 20, minLength + 200));
  return library.string({ minLength, maxLength, unit: 'grapheme' });
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
