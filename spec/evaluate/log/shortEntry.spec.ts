import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { createApplication, definePrompt, defineSection, defineTool, Param, Session } from 'toolwright';
import { Conversation, FileRuns, type LogEntry } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { shortEntry, wholeEntry } from '../../../src/evaluate/log/shortEntry';
import { silent } from '../../support/silent';
import { end, note, question, textsOf } from './entries';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-short-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const text = fc.string({ maxLength: 8 });
const digest = fc.stringMatching(/^[0-9a-f]{16}$/);
const plain = fc.jsonValue({ maxDepth: 1 });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const calls = fc.array(fc.record({ id: text, name: text, arguments: fc.oneof(text, fc.dictionary(text, plain)) }), {
  maxLength: 2,
});
const message = fc.oneof(
  fc.record({ role: fc.constant('user'), content: text }),
  fc.record({ role: fc.constant('user'), content: text, note: fc.constant('operator') }),
  fc.record({ role: fc.constant('assistant'), content: fc.option(text) }),
);
const entry = fc.oneof(
  fc.record({
    kind: fc.constant('run'),
    run: text,
    messages: fc.array(message, { maxLength: 2 }),
    output: optional(text),
  }),
  fc.record({
    ...{ kind: fc.constant('answer'), turn: fc.nat(), text: fc.option(text), toolCalls: calls },
    finishReason: fc.constantFrom('stop', 'tool_calls', 'length'),
    usage: optional(fc.record({ inputTokens: fc.nat() })),
    native: optional(fc.record({ s: text })),
    sent: optional(
      fc.record(
        { tools: digest, messages: fc.oneof(digest, text), count: fc.nat() },
        { requiredKeys: ['messages', 'count'] },
      ),
    ),
  }),
  fc.record({ kind: fc.constant('begun'), call: text, name: text }),
  fc.record({
    ...{ kind: fc.constant('outcome'), call: text, name: fc.constantFrom('a', 'b') },
    outcome: fc.constantFrom('succeeded', 'failed'),
    message: fc.record({
      ...{ role: fc.constant('tool'), toolCallId: text, name: fc.constantFrom('a', 'b'), content: text },
      failed: fc.boolean(),
    }),
    session: optional(fc.record({ appended: fc.dictionary(text, fc.array(plain)) })),
  }),
  fc.record({
    ...{ kind: fc.constant('end'), run: text, how: fc.constantFrom('answered', 'failed') },
    messages: fc.array(message, { maxLength: 1 }),
    problem: optional(text),
  }),
  fc.constantFrom(note('n'), question('1.0'), end()),
  // What a store is given by others.
  fc.dictionary(fc.constantFrom('kind', 'run', 'messages', 'message'), plain),
  fc.record({ kind: fc.constantFrom('run', 'answer', 'begun', 'outcome', 'end') }),
);

test('every entry comes back as it was, member by member', () => {
  fc.assert(
    fc.property(entry, (given) => {
      const stored = JSON.parse(JSON.stringify(shortEntry(given as LogEntry))) as unknown;
      expect(JSON.stringify(wholeEntry(stored))).toBe(JSON.stringify(given));
    }),
    { numRuns: 2_000 },
  );
});

test('a list that no version has written is no entry', () => {
  expect(wholeEntry(['z', 1])).toBeUndefined();
});

/** A line as version 1 wrote it. */
function lineOf(json: object): string {
  const rest = JSON.stringify(json).slice(1);
  return `{"sum":"${crc32(rest).toString(16).padStart(8, '0')}",${rest}\n`;
}

describe('a file of version 1', () => {
  const first = 1_795_530_373_024_353;
  const made = () => {
    const store = new FileRuns(mkdtempSync(join(folder, 'one-')));
    const head = { toolwright: 'runs', version: 1, epoch: first, after: 0, id: 'a', writer: 'w', conversation: 'c' };
    const batch = { epoch: first, after: 0, id: 'b', count: 2, entries: [note('one'), end()] };
    writeFileSync(store.pathOf('c'), lineOf(head) + lineOf(batch));
    return store;
  };

  test('is read, and goes on in the shorter form, which copies of version 1 refuse', async () => {
    const store = made();
    expect(textsOf(await store.entries('c'))).toEqual(['one', 'end']);
    const { epoch, entries } = await store.open('c');
    expect([epoch, textsOf(entries)]).toEqual([first + 1, ['one', 'end']]);
    await store.append({ conversation: 'c', epoch, after: 2 }, [note('two'), end()]);
    const again = await new FileRuns(store.folder).open('c');
    expect([again.epoch, textsOf(again.entries)]).toEqual([first + 2, ['one', 'end', 'two', 'end']]);
    const lines = readFileSync(store.pathOf('c'), 'utf8').trimEnd().split('\n').slice(2);
    expect(lines.map((line) => (JSON.parse(line) as { version?: number }).version ?? 'a list')).toEqual([
      ...[2, 'a list', 'a list'],
    ]);
  });

  test('takes nothing more from the writer before', async () => {
    const store = made();
    await store.open('c');
    const late = store.append({ conversation: 'c', epoch: first, after: 2 }, [note('late')]);
    await expect(late).rejects.toMatchObject({ code: 'E709' });
  });
});

test('200 turns write at most a tenth more than their messages', async () => {
  class Act {
    @Param('What') id!: string;
  }
  const long = 'x'.repeat(400);
  const act = defineTool({
    name: 'act',
    description: 'Acts.',
    hints: { idempotent: true },
    params: Act,
    handler: () => long,
  });
  const Desk = definePrompt({
    ns: 'spec',
    key: 'desk',
    sections: [defineSection({ key: 'desk', title: 'Desk', tools: [act] })],
  });
  const app = await createApplication({ prompts: [Desk], logger: silent });
  const store = new FileRuns(join(folder, 'bytes'));
  const conversation = await Conversation.open(store, 'c');
  for (let turn = 0; turn < 200; turn++) {
    const adapter = new ScriptedModel([
      { toolCalls: [{ name: 'act', arguments: { id: String(turn) } }] },
      { text: long },
    ]);
    const messages = [{ role: 'user', content: `${String(turn)}: ${long}` }] as const;
    await app.evaluate(app.prompt(Desk), { adapter, session: new Session(), conversation, messages });
  }
  expect(statSync(store.pathOf('c')).size / JSON.stringify(conversation.messages).length).toBeLessThanOrEqual(1.1);
}, 60_000);
