import { ArrayUnique } from 'class-validator';
import { type Constructor, createApplication, definePrompt, defineSection, defineTool, Param } from 'toolwright';
import { jsonSchema } from '@toolwright/json-schema';
import { QuickJsSandbox, Toolkit } from '@toolwright/programs';
import { ToolInvoked } from 'toolwright/events';
import { PATIENCE_MS } from '../../packages/programs/spec/kit';
import { HELD_MS, leastPause } from '../support/hostPause';
import { measureAround } from '../support/attacks/around';
import { silent } from '../support/silent';

measureAround();

const numbered = (count: number, text: string): readonly string[] =>
  Array.from({ length: count }, (_none, index) => `${text}${String(index)}`);

const MEMBERS = numbered(5_000, 'member ');

/** Calls one tool with what a model sends. */
async function caller<P>(
  params: Constructor<P> | ReturnType<typeof jsonSchema>,
  handler: (given: P) => unknown = () => 'done',
) {
  const act = defineTool({ name: 'act', description: 'Acts.', params, handler: handler as () => unknown });
  const Desk = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools: [act] })] });
  const app = await createApplication({ prompts: [Desk], logger: silent, repair: 'on' });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => void events.push(event));
  const rendered = await app.prompt(Desk).render();
  return { call: (args: Record<string, unknown>) => app.invoke(rendered, 'act', args), events };
}

const ROW = 'x'.repeat(88);
const inTurn = (call: string, last = ''): string =>
  `let rows;\nfor (let i = 0; i < 30; i++) rows = await ${call};\n${last};\nreturn 'done';`;
const together = (call: string): string =>
  `await Promise.all(Array.from({ length: 30 }, () => ${call}));\nreturn 'done';`;

/** The most characters of JSON that the host reads and writes in one turn of its event loop, however fast it is. */
async function mostJsonInATurn(work: () => Promise<void>): Promise<number> {
  let [most, chars, isOver] = [0, 0, false];
  const { parse, stringify } = JSON;
  const count = (text: unknown): void =>
    void (most = Math.max(most, (chars += typeof text === 'string' ? text.length : 0)));
  const nextTurn = (): void => {
    chars = 0;
    if (!isOver) setImmediate(nextTurn);
  };
  jest.spyOn(JSON, 'parse').mockImplementation((...given) => (count(given[0]), parse(...given) as unknown));
  jest.spyOn(JSON, 'stringify').mockImplementation((...given: unknown[]) => {
    const text = stringify(...(given as Parameters<typeof stringify>));
    count(text);
    return text;
  });
  nextTurn();
  await work().finally(() => (isOver = true));
  jest.restoreAllMocks();
  return most;
}

class Texts {
  @Param({ description: 'A.', optional: true }) text?: string;
  @Param({ description: 'B.', type: [String], optional: true }) texts?: string[];
}

class Lists {
  @Param({ description: 'A.', type: [String], optional: true, enum: MEMBERS }) members?: string[];
  @Param({ description: 'B.', type: [String], optional: true }) @ArrayUnique() tags?: string[];
  @Param({ description: 'C.', record: String, optional: true }) words?: Record<string, string>;
  @Param({ description: 'D.', type: [Number], optional: true }) numbers?: number[];
}

describe('arguments with thousands of parts, each of which has something wrong', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['no member of a long enum', { members: numbered(19_000, 'x') }, 'rejected'],
    ['the last member of a long enum', { members: Array(19_000).fill(MEMBERS.at(-1)) }, 'succeeded'],
    ['unknown keys', Object.fromEntries(numbered(19_000, 'words').map((key) => [key, 'x'])), 'rejected'],
    [
      'values of the wrong type',
      { words: Object.fromEntries(numbered(19_000, 'k').map((key) => [key, 1])) },
      'rejected',
    ],
    ['no two alike', { tags: numbered(19_000, 'the same beginning of a tag '.repeat(3)) }, 'succeeded'],
    ['the first and the last alike', { tags: [...numbered(19_000, 'tag '), 'tag 0'] }, 'rejected'],
    ['a text that holds a list of 400,000', { numbers: `[${'1,'.repeat(400_000)}1]` }, 'rejected'],
    ['a text that holds one value too many', { numbers: `[${'1,'.repeat(20_000)}1]` }, 'rejected'],
    ['texts that together hold too many', { words: '{}', numbers: `[${'1,'.repeat(20_001)}1]` }, 'rejected'],
  ])('HOST-05k arguments with %s are judged at once, with a hundred issues at most', async (what, args, kind) => {
    const { call } = await caller(Lists);
    expect(await leastPause(() => call(args))).toBeLessThanOrEqual(HELD_MS);
    const outcome = await call(args);
    expect(outcome.kind).toBe(kind);
    expect(outcome.text.length).toBeLessThanOrEqual(1_024);
    // A repair ends after 40 ms as well, so that a busy machine may refuse for that reason: no other time may be taken.
    if (what.startsWith('a text'))
      for (let time = 1; time < 10; time++) expect((await call(args)).kind).toBe('rejected');
  });

  test('HOST-05k a text that holds what arguments may hold is still read as it was meant', async () => {
    const { call } = await caller(Lists, ({ numbers }) => numbers?.length);
    // A repair ends after 40 ms, which a busy machine may take for one of them.
    let outcome = await call({ numbers: `[${'1,'.repeat(15_000)}1]` });
    for (let time = 1; time < 20 && outcome.kind !== 'succeeded'; time++)
      outcome = await call({ numbers: `[${'1,'.repeat(15_000)}1]` });
    expect(outcome).toMatchObject({ kind: 'succeeded', result: { value: 15_001 } });
  });

  test('HOST-05k objects of which no two may be alike, declared by a JSON Schema', async () => {
    const { call } = await caller(
      jsonSchema({ type: 'object', properties: { rows: { type: 'array', uniqueItems: true } } }),
    );
    const rows = Array.from({ length: 9_900 }, (_none, index) => ({ a: index }));
    expect(await leastPause(() => call({ rows }))).toBeLessThanOrEqual(HELD_MS);
    // Fewer, since a check that does not have the processor to itself is given up after 40 ms.
    const few = rows.slice(0, 1_000);
    expect((await call({ rows: few })).kind).toBe('succeeded');
    expect((await call({ rows: [...few, { a: 7 }] })).text).toContain('must NOT have duplicate items');
    expect(
      (
        await call({
          rows: [
            { a: 1, b: 2 },
            { b: 2, a: 1 },
          ],
        })
      ).kind,
    ).toBe('rejected');
  });
});

describe('a call with thousands of secrets', () => {
  class Access {
    @Param({ description: 'Tokens', secret: true, type: [String] }) tokens!: readonly string[];
    @Param({ description: 'Said', type: [String] }) said!: readonly string[];
  }

  test.each<[string, readonly string[], readonly string[]]>([
    ['thousands of texts', numbered(9_500, 'token '), numbered(9_500, 'text ')],
    ['a long text', numbered(19_000, 'token '), ['a '.repeat(350_000)]],
    ['a text that begins as all of them do', numbered(19_000, 'aaaa'), ['a'.repeat(700_000)]],
  ])('HOST-14c a call with thousands of secrets and %s to search is finished at once', async (_what, tokens, said) => {
    const { call } = await caller(Access, (given) => given.said);
    expect(await leastPause(() => call({ tokens, said }))).toBeLessThanOrEqual(HELD_MS);
  });

  test('HOST-14c each secret is hidden, where they overlap and where there are too many to compare', async () => {
    const overlapping = await caller(Access, () => 'x abcdefgh y');
    await overlapping.call({ tokens: ['abcdef', 'defgh'], said: [] });
    expect(overlapping.events[0]?.toolMessage).toBe('x [secret] y');
    const many = await caller(Access, ({ tokens, said }) => `${said.join('')}${String(tokens.at(-1))}`);
    const tokens = numbered(19_000, 'aaaa');
    await many.call({ tokens, said: ['a'.repeat(50_000)] });
    expect(many.events[0]?.toolMessage).not.toContain(tokens.at(-1));
    expect(JSON.stringify(many.events[0])).not.toContain('aaaa18999');
  });

  test.each<[string, readonly string[]]>([
    ['JSON of 60,000 values', [JSON.stringify(numbered(60_000, 'value'))]],
    ['JSON texts of 30,000 values together', Array(3).fill(JSON.stringify(numbered(10_000, 'value')))],
    ['JSON that is nested too deeply', [`${'['.repeat(70)}"value1"${']'.repeat(70)}`]],
  ])('HOST-14f %s are refused, since they could not all be hidden', async (_what, tokens) => {
    const { call, events } = await caller(Access, ({ tokens: [first] }) => String(first));
    expect(await leastPause(() => call({ tokens, said: [] }))).toBeLessThanOrEqual(HELD_MS);
    const { kind, text } = await call({ tokens, said: [] });
    expect([kind, text]).toEqual(['rejected', expect.stringContaining('expected at most 20000 values of JSON')]);
    expect(`${text}${JSON.stringify(events)}`).not.toMatch(/value\d/);
  });

  test.each<[string, readonly string[]]>([
    ['10,000 texts that addresses and JSON escape', numbered(10_000, 'v"/')],
    ['JSON in JSON, sixteen times', [nestedJson(16)]],
    ['a megabyte of escapes', ['\\'.repeat(500_000)]],
    ['a megabyte that looks encoded many times', [`%${'25'.repeat(400_000)}`]],
  ])('HOST-14f %s are hidden, in an address and in JSON as well', async (_what, tokens) => {
    const written = ([first = '']: readonly string[]): readonly string[] => [
      ...[first, encodeURIComponent(first), JSON.stringify(first)].filter(({ length }) => length < 1_000_000),
    ];
    const { call, events } = await caller(Access, (given) => written(given.tokens));
    expect(await leastPause(() => call({ tokens, said: [] }))).toBeLessThanOrEqual(HELD_MS);
    const { kind, text } = await call({ tokens, said: [] });
    expect([kind, text]).toEqual(['succeeded', expect.stringContaining('[secret]')]);
    expect(`${text}${JSON.stringify(events)}`).not.toMatch(/value\d|v\\*"|v%22|%5C%5C|2525/);
  });

  test('HOST-14f secrets below that are hidden in each of their forms: the key file of a service, JSON in JSON', async () => {
    const file = JSON.stringify({
      id: 7,
      private_key: `-----BEGIN KEY-----\n${'ab+/'.repeat(600)}\n-----END KEY-----\n`,
    });
    const { call, events } = await caller(Access, ({ tokens: [first] }) => ({
      ...(JSON.parse(first as string) as object),
      address: `https://a.example/?key=${encodeURIComponent(first as string)}`,
    }));
    await call({ tokens: [file], said: [] });
    const nested = await caller(Access, ({ tokens: [first] }) => String(first).replaceAll('\\', ''));
    const { kind } = await nested.call({ tokens: [nestedJson(5)], said: [] });
    expect(kind).toBe('succeeded');
    expect(JSON.stringify([...events, ...nested.events])).not.toMatch(/ab\+|ab%2B|innermost/);
  });
});

/** A text within lists, each of which is written as a text of the next one. */
function nestedJson(times: number): string {
  let text = 'the innermost "value1"';
  for (let time = 0; time < times; time++) text = JSON.stringify([text]);
  return text;
}

describe('a program that calls with all that a call may have, many times at once', () => {
  const sandbox = new QuickJsSandbox({ workers: 1 });
  afterAll(() => sandbox.close());

  test(
    'HOST-05m fifty calls of 19,900 values begin one after the other, and let other work run',
    async () => {
      const get = defineTool({ name: 'get', description: 'Gets.', params: Lists, handler: () => 7 });
      const kit = await Toolkit.from([get], { sandbox, check: 'syntax', logger: silent });
      const code = 'return await Promise.all(Array.from({ length: 50 }, () => get({ numbers: Array(19900).fill(1) })))';
      let returned: unknown;
      const pause = await leastPause(async () => ({ returnValue: returned } = await kit.execute(code)));
      expect(returned).toEqual(Array(50).fill(7));
      expect(pause).toBeLessThanOrEqual(HELD_MS);
      await kit.close();
    },
    PATIENCE_MS,
  );

  test.each([
    ['each with a text of a megabyte, one after the other', inTurn('get({ text: "x".repeat(1_040_000) })'), 'done'],
    ['each with a text of a megabyte, at once', together('get({ text: "x".repeat(1_040_000) })'), 'done'],
    ['each with a megabyte of texts, at once', together(`get({ texts: Array(11_000).fill("${ROW}") })`), 'done'],
    ['each with a result of a megabyte, one after the other', inTurn('list()'), 'done'],
    ['each with a result of a megabyte, which end at the same time', together('list()'), 'done'],
    ['each with a megabyte, and a property that the result lacks', inTurn('list()', 'rows.foo.bar'), 'no "foo"'],
  ])(
    'HOST-05p thirty calls, %s',
    async (_what, code, shown) => {
      const rows = { head: Array.from({ length: 11_000 }, () => ROW) };
      let ending: Promise<void> | undefined;
      const kit = await Toolkit.from(
        [
          defineTool({ name: 'get', description: 'Gets.', params: Texts, handler: () => 7 }),
          defineTool({
            ...{ name: 'list', description: 'Lists.', hints: { readOnly: true } },
            handler: async () => {
              ending ??= new Promise<void>((resolve) => setTimeout(resolve, 20)).finally(() => (ending = undefined));
              await ending;
              return rows;
            },
          }),
        ],
        { sandbox, check: 'syntax', memoryMb: 256, logger: silent },
      );
      let end: unknown[] = [];
      const run = async (): Promise<void> => {
        const { returnValue, error, toolCalls } = await kit.execute(code);
        end = [returnValue ?? error?.hint, toolCalls.filter(({ status }) => status === 'ok').length];
      };
      // All at once would be 30 million or more. How many fit into one turn depends on the machine, since turns are given up by time.
      expect(await mostJsonInATurn(run)).toBeLessThan(25_000_000);
      expect(end).toEqual([expect.stringContaining(shown), 30]);
      await kit.close();
    },
    PATIENCE_MS,
  );
});
