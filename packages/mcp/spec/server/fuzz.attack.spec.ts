import * as fc from 'fast-check';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  Param,
  Session,
  ToolwrightError,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { lowerSchema } from 'toolwright/internal';
import { parse, parseOutput } from 'toolwright/schema';
import { readRemoteSchema } from '../../src/client/readRemoteSchema';
import { silent } from '../../../../spec/support/silent';
import { measureAround } from '../../../../spec/support/attacks/around';

measureAround();

/** How long each test tries inputs (`FUZZ_SECONDS=9 npx jest packages/mcp/spec/server/fuzz`); 500 inputs each when it is not set. */
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 0);
const runs =
  SECONDS > 0
    ? { numRuns: 1_000_000, interruptAfterTimeLimit: SECONDS * 1_000, markInterruptAsFailure: false }
    : { numRuns: 500 };

jest.setTimeout(SECONDS * 1_000 + 60_000);

class Line {
  @Param('Article') article!: string;
  @Param({ description: 'Pieces', integer: true, min: 1, max: 99 }) pieces!: number;
}

class Order {
  @Param({ description: 'Id', pattern: /^#\d{1,9}$/ }) id!: string;
  @Param({ description: 'Lines', type: () => [Line], maxItems: 20 }) lines!: Line[];
  @Param({ description: 'Kind', enum: ['gift', 'sale'], optional: true }) kind?: 'gift' | 'sale';
  @Param({ description: 'Due', optional: true }) due?: Date;
  @Param({ description: 'Labels', record: String, optional: true }) labels?: Record<string, string>;
  @Param({ description: 'Pin', secret: true, optional: true }) pin?: string;
}

class Basket {
  @Field({ description: 'Articles', type: [String] }) readonly articles: string[];
  constructor(articles: string[] = []) {
    this.articles = articles;
  }
}

const ORDER = {
  id: '#12',
  lines: [{ article: 'tea', pieces: 2 }],
  kind: 'gift',
  due: '2026-01-31T10:00:00Z',
  labels: { a: 'b' },
  pin: '1234-5678',
};

/** Values that readers trip over. */
const HOSTILE: readonly unknown[] = [
  ...[null, true, '', 0, -0, -1, 1e308, 2 ** 53, [], {}, [[]], '\u0000', '\ud800', '__proto__', 'constructor', '#1'],
  { constructor: { prototype: {} } },
  { toJSON: 1 },
  { then: {} },
  { length: -1 },
  JSON.parse('{"__proto__":{"x":1}}'),
  'a'.repeat(10_000),
  Array.from({ length: 2_000 }, () => null),
  JSON.parse('['.repeat(900) + ']'.repeat(900)),
];

type Edit = readonly [at: number, what: 'replace' | 'remove' | 'add' | 'copy', value: unknown, key: string];

const edits = fc.array(
  fc.tuple(
    fc.nat(),
    fc.constantFrom('replace', 'remove', 'add', 'copy'),
    fc.oneof(fc.constantFrom(...HOSTILE), fc.jsonValue({ maxDepth: 2 })),
    fc.oneof(fc.constantFrom('id', 'kind', 'version', '__proto__', 'toJSON', 'length'), fc.string({ maxLength: 4 })),
  ),
  { minLength: 1, maxLength: 6 },
);

/** Changes a copy of a value that is read in some places, as a broken or hostile writer would. */
function edited(value: unknown, changes: readonly Edit[]): unknown {
  const root = { value: structuredClone(value) };
  for (const [at, what, pattern, key] of changes) {
    const given = structuredClone(pattern);
    const places = placesIn(root);
    const [holder, name] = places[at % places.length] ?? [root, 'value'];
    const entry = Reflect.get(holder, name) as unknown;
    if (what === 'remove') Reflect.deleteProperty(holder, name);
    else if (what === 'replace' || typeof entry !== 'object' || entry === null) Reflect.set(holder, name, given);
    else if (!(Array.isArray(entry) && key === 'length'))
      Object.defineProperty(entry, key, { value: what === 'add' ? given : structuredClone(entry), ...PLAIN });
  }
  return root.value;
}

const PLAIN = { enumerable: true, writable: true, configurable: true };

function placesIn(root: object): readonly (readonly [object, string])[] {
  const places: (readonly [object, string])[] = [];
  const walk = (holder: object, depth: number): void => {
    if (depth > 8 || places.length > 500) return;
    for (const [key, entry] of Object.entries(holder)) {
      places.push([holder, key]);
      if (typeof entry === 'object' && entry !== null) walk(entry as object, depth + 1);
    }
  };
  walk(root, 0);
  return places;
}

/** A text of the value with a few characters changed, cut or doubled. */
const texts = (value: unknown): fc.Arbitrary<string> =>
  fc
    .tuple(
      edits.map((changes) => JSON.stringify([edited(value, changes)]).slice(1, -1)),
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 4 }),
    )
    .map(([text, cuts]) =>
      cuts.reduce((now, [at, length, put]) => {
        const from = at % (now.length + 1);
        return now.slice(0, from) + put + now.slice(from + length);
      }, text),
    );

/** What an MCP server may declare, with every way of putting schemas together. */
const SCHEMA = {
  type: 'object',
  title: 'Order',
  properties: {
    id: { type: 'string', pattern: '^#[0-9]+$', minLength: 2, format: 'uri' },
    lines: { type: 'array', items: { $ref: '#/$defs/line' }, uniqueItems: true, maxItems: 20, contains: {} },
    kind: { enum: ['gift', 'sale', null] },
    due: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    labels: { type: 'object', additionalProperties: { type: 'string' }, propertyNames: { maxLength: 5 } },
    pin: { oneOf: [{ const: 1 }, { type: ['string', 'integer'] }], default: 1 },
  },
  required: ['id', 'lines'],
  allOf: [{ if: { required: ['pin'] }, then: { required: ['kind'] }, else: { not: { required: ['due'] } } }],
  dependentRequired: { pin: ['id'] },
  unevaluatedProperties: false,
  $defs: {
    line: { type: 'object', properties: { article: { type: 'string' }, parts: { items: { $ref: '#/$defs/line' } } } },
  },
};

const KEYWORDS = [
  '$ref',
  'type',
  'anyOf',
  'allOf',
  'properties',
  'items',
  'enum',
  'pattern',
  'required',
  '$defs',
  'not',
];
const schemaEdits = fc.array(
  fc.tuple(
    fc.nat(),
    fc.constantFrom('replace', 'remove', 'add', 'copy'),
    fc.oneof(
      fc.constantFrom<unknown>(
        ...[
          { $ref: '#' },
          { $ref: '#/$defs/line' },
          { $ref: '#/$defs/x' },
          { $ref: 'http://x/y' },
          '#',
          '#/$defs/line',
        ],
        ...[{ anyOf: [{ $ref: '#' }, {}] }, ['string', 'null'], '(a|a)*$', '(?=a)', true, false, [{}], { type: 'x' }],
        ...HOSTILE,
      ),
      fc.jsonValue({ maxDepth: 2 }),
    ),
    fc.oneof(fc.constantFrom(...KEYWORDS), fc.string({ maxLength: 4 })),
  ),
  { minLength: 1, maxLength: 6 },
);

let inputs = 0;

afterAll(() => {
  process.stdout.write(`fuzz: ${String(inputs)} inputs\n`);
});

/** Tries inputs; only coded errors of ours may come. */
async function fuzz<T>(input: fc.Arbitrary<T>, read: (value: T) => unknown): Promise<void> {
  await fc.assert(
    fc.asyncProperty(input, async (value) => {
      inputs++;
      try {
        await read(value);
      } catch (error) {
        if (!(error instanceof ToolwrightError)) throw error;
        expect(error.code).toMatch(/^E\d{3}$/);
      }
      expect(({} as { x?: unknown }).x).toBeUndefined();
    }),
    runs,
  );
}

/** The value as JSON has it; null for what JSON cannot write. */
function copyOf(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : JSON.parse(text);
}

describe('whatever is read, only a value that fits or a coded error comes of it', () => {
  test('HOST-16a arguments as objects give a value that fits or a coded error', async () => {
    await fuzz(edits, (changes) => {
      const order = parse(Order, edited(ORDER, changes));
      expect(order).toBeInstanceOf(Order);
      expect(order.lines.every((line) => line instanceof Line && line.pieces >= 1)).toBe(true);
    });
  });

  test('HOST-16b answers of a model as text give a value that fits or a coded error', async () => {
    await fuzz(texts(ORDER), (text) => expect(parseOutput(Order, text)).toBeInstanceOf(Order));
  });

  test('HOST-16c calls of a model: each has an outcome, and one event', async () => {
    const order = defineTool({
      name: 'order',
      description: 'Orders.',
      params: Order,
      handler: ({ lines }: Order) => lines.length,
    });
    const section = defineSection({ key: 'shop', title: 'Shop', tools: [order] });
    const Shop = definePrompt({ ns: 'spec', key: 'shop', sections: [section] });
    const app = await createApplication({ prompts: [Shop], logger: silent, repair: 'on' });
    const rendered = await app.prompt(Shop).render();
    await fuzz(
      fc.tuple(texts(ORDER), edits, fc.constantFrom('order', 'oder', '__proto__')),
      async ([text, changes, name]) => {
        const given = edited(ORDER, changes);
        const args =
          typeof given === 'object' && !Array.isArray(given) ? (given as Record<string, unknown> | null) : text;
        for (const each of [text, args]) {
          const { kind } = await app.callTool(rendered, { id: 'c1', name, arguments: each });
          expect(['succeeded', 'rejected', 'unknown']).toContain(kind);
        }
      },
    );
    await app.close();
  });

  test('HOST-16d the JSON of a session is read or refused with a coded error', async () => {
    const session = new Session({ slices: [Basket], tags: { tenant: 't' } });
    session.slice(Basket).seed(new Basket(['tea', 'milk']));
    const written = JSON.parse(JSON.stringify(session)) as unknown;
    await fuzz(edits, (changes) => {
      const read = Session.fromJSON(edited(written, changes), { slices: [Basket], logger: silent });
      expect(typeof JSON.stringify(read)).toBe('string');
    });
  });

  test('HOST-16e the JSON of a conversation is read or refused with a coded error', async () => {
    const look = defineTool({ name: 'look', description: 'Looks.', handler: () => ({ seen: ['a', 'b'] }) });
    const section = defineSection({ key: 'shop', title: 'Shop', tools: [look] });
    const Shop = definePrompt({ ns: 'spec', key: 'shop', sections: [section] });
    const app = await createApplication({ prompts: [Shop], logger: silent });
    const conversation = new Conversation();
    const adapter = new ScriptedModel([{ toolCalls: [{ id: 'c1', name: 'look', arguments: {} }] }, { text: 'Done.' }]);
    await app.evaluate(app.prompt(Shop), { adapter, conversation });
    const written = JSON.parse(JSON.stringify(conversation)) as unknown;
    await app.close();
    await fuzz(edits, (changes) => {
      const read = Conversation.fromJSON(edited(written, changes));
      expect(read.messages.every(({ role }) => typeof role === 'string')).toBe(true);
      expect(typeof JSON.stringify(read)).toBe('string');
    });
  });

  test('HOST-16f schemas of an MCP server are refused with a reason, or checked against any value', async () => {
    await fuzz(fc.tuple(schemaEdits, edits), ([changes, others]) => {
      const read = readRemoteSchema(copyOf(edited(SCHEMA, changes)));
      if ('problem' in read) expect(read.problem).not.toBe('');
      else for (const value of [ORDER, edited(ORDER, others)]) expect(Array.isArray(read.check(value))).toBe(true);
    });
  });

  test('HOST-16g such schemas are lowered for every provider to plain JSON with an object at the root', async () => {
    await fuzz(schemaEdits, (changes) => {
      const read = readRemoteSchema(copyOf(edited(SCHEMA, changes)));
      if ('problem' in read) return;
      for (const target of ['openai', 'anthropic', 'mcp', 'gemini'] as const) {
        const { schema } = lowerSchema(read.schema, target);
        const written = JSON.stringify(schema);
        expect(JSON.stringify(JSON.parse(written))).toBe(written);
        expect(written.length).toBeLessThan(2_000_000);
      }
    });
  });
});
