import {
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type Message,
  type ModelRequest,
  Param,
} from 'toolwright';
import { approximateTokens } from 'toolwright/adapters';
import { Conversation } from 'toolwright/conversations';
import { ResultsSection } from 'toolwright/sections';
import { type ScriptedCall, ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { PrefixMeasured } from 'toolwright/events';
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tokensOf } from './historyTokens';
import { logOf, reopened } from '../../support/reopened';
import { silent } from '../../support/silent';
import { sqliteRuns } from '../../../packages/durable/spec/support/sqliteRuns';

const WINDOW = 32_000;
const LENGTH = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'toolwright-long-results-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

class Day {
  @Param({ description: 'Which day', integer: true }) day!: number;
}

/** 10,000 characters, of which each place says where it is. */
function reportOf(day: number): string {
  let text = `Report of day ${String(day)}.`;
  while (text.length < LENGTH) text += ` At ${String(text.length)} of day ${String(day)}, all is well.`;
  return text.slice(0, LENGTH);
}

const report = defineTool({
  name: 'report',
  description: 'Fetch the report of a day.',
  params: Day,
  hints: { readOnly: true },
  handler: ({ day }: Day) => reportOf(day),
});
const Reports = defineSection({ key: 'reports', title: 'Reports', template: 'Look at reports.', tools: [report] });

const appOf = async (...sections: readonly Constructor[]) => {
  const type = definePrompt({ ns: 'spec', key: 'reports', heading: 'plain', sections });
  const app = await createApplication({ prompts: [type], logger: silent });
  return { app, prompt: app.prompt(type) };
};

const history = { maxTokens: WINDOW, summarise: () => 'Many reports.', spillAbove: 500 };
const user = (content: string): readonly Message[] => [{ role: 'user', content }];
const fetching = (day: number): ScriptStep => ({ toolCalls: [{ name: 'report', arguments: { day } }] });
const reading = (handle: string, more: object = {}): ScriptedCall => ({
  name: 'read_result',
  arguments: { handle, ...more },
});

/** The handle of the report of a day, as a request shows it. */
function handleIn({ messages }: ModelRequest, day: number): string {
  const text = messages.map(({ content }) => content ?? '').join('\n');
  const listed = new RegExp(`^(\\S+): report, 10000 characters, "Report of day ${String(day)}\\.`, 'm').exec(text);
  const inPlace = new RegExp(`Report of day ${String(day)}\\.[^\\[]+\\[The beginning [^\\]]+ handle (\\S+),`).exec(
    text,
  );
  const found = listed?.[1] ?? inPlace?.[1];
  if (found === undefined) throw new Error(`no handle of day ${String(day)}`);
  return found;
}

/** What the model reads of its last call. */
const lastResult = ({ messages }: Pick<Conversation, 'messages'>): string =>
  messages.filter(({ role }) => role === 'tool').at(-1)?.content ?? '';

interface Talk {
  readonly turns: number;
  /** True for a turn before which everything is opened again. */
  readonly isReopened?: (turn: number) => boolean;
  readonly open?: () => Promise<Conversation>;
}

/** One report a turn; from turn 150 on, each 50th turn reads the middle of the report of 100 turns ago. */
async function talk({ turns, isReopened = () => false, open }: Talk) {
  let { app, prompt } = await appOf(Reports, ResultsSection);
  let conversation = (await open?.()) ?? new Conversation({ id: 'c' });
  const segments: ModelRequest[][] = [];
  const read: string[] = [];
  const broken: string[] = [];
  for (let turn = 0; turn < turns; turn++) {
    if (isReopened(turn)) {
      ({ app, prompt } = await appOf(Reports, ResultsSection));
      conversation = (await open?.()) ?? Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
    }
    const looksBack = turn >= 150 && turn % 50 === 0;
    const back: ScriptStep = (request) => ({
      toolCalls: [reading(handleIn(request, turn - 100), { offset: 5_000, limit: 200 })],
    });
    const adapter = new ScriptedModel([
      fetching(turn),
      ...(looksBack ? [back] : []),
      { text: `Seen ${String(turn)}.` },
    ]);
    await app.evaluate(prompt, {
      ...{ adapter, conversation, runId: `run ${String(turn)}`, history },
      messages: user(`What of day ${String(turn)}?`),
      onEvent: (event) => {
        if (!(event instanceof PrefixMeasured)) return;
        if (event.keptBytes === 0) segments.push([]);
        if (event.brokenAt !== undefined) broken.push(`${String(turn)}: ${event.brokenAt}`);
        segments.at(-1)?.push(...adapter.requests.slice(event.turn - 1, event.turn));
      },
    });
    if (looksBack) read.push(lastResult(conversation));
  }
  return { conversation, segments, read, broken };
}

describe('long results of a history that outgrows its window', () => {
  test('300 turns with results of 10,000 characters: never over the window, and the middle of one of 100 turns ago is read', async () => {
    const { conversation, segments, read, broken } = await talk({ turns: 300 });
    const requests = segments.flat();
    expect(Math.max(...requests.map(tokensOf))).toBeLessThan(WINDOW * 1.02);
    expect(read).toEqual(
      [150, 200, 250].map((turn) => expect.stringContaining(reportOf(turn - 100).slice(5_000, 5_200)) as string),
    );
    expect(segments.length).toBeGreaterThan(5);
    expect(broken).toEqual([]);
    expect(conversation.toJSON().entries.filter(({ kind }) => kind === 'segment')).toHaveLength(segments.length - 1);
  }, 60_000);

  test('read again before any turns, from a file, it ends the same', async () => {
    const whole = await talk({ turns: 160 });
    const store = sqliteRuns(join(folder, 'runs.db'));
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 159 }), { minLength: 6, maxLength: 12 }),
        async (at) => {
          const id = `c ${String(++runs)}`;
          const parts = await talk({
            turns: 160,
            isReopened: (turn) => at.includes(turn),
            open: () => Conversation.open(store, id),
          });
          expect(parts.conversation.messages).toEqual(whole.conversation.messages);
          expect(parts.read).toEqual(whole.read);
        },
      ),
      { numRuns: 1 },
    );
  }, 60_000);

  test('the results of the last answer stay whole where there is room, and give way where there is not', async () => {
    const { app, prompt } = await appOf(Reports, ResultsSection);
    const one = approximateTokens(reportOf(0));
    const of = async (...[before, last]: readonly [number, number]) => {
      const conversation = new Conversation();
      const fetchingAll = (count: number, from: number): ScriptStep => ({
        toolCalls: Array.from({ length: count }, (_, day) => ({ name: 'report', arguments: { day: from + day } })),
      });
      const adapter = new ScriptedModel([
        fetchingAll(before, 90),
        { text: 'Yes.' },
        fetchingAll(last, 0),
        { text: 'Done.' },
      ]);
      const run = { adapter, conversation, history: { ...history, maxTokens: 4 * one } };
      await app.evaluate(prompt, { ...run, messages: user('First.') });
      await app.evaluate(prompt, { ...run, messages: user('Second.') });
      const { messages = [] } = adapter.requests.at(-1) ?? {};
      return messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
    };
    const shortened = (handle: string) => (text: string) =>
      text.startsWith(
        `${text.slice(0, 400)}…\n\n[The beginning of 10000 characters. read_result reads on: handle ${handle}-`,
      );
    const whole = await of(3, 1);
    expect(whole.at(-1) === reportOf(0)).toBe(true);
    expect(whole.slice(0, -1).map((text, index) => shortened(`1.1.${String(index)}`)(text))).toEqual([
      true,
      true,
      true,
    ]);
    const given = (await of(3, 3)).slice(-3);
    expect(given.map((text, index) => shortened(`2.1.${String(index)}`)(text))).toEqual([true, true, true]);
  });

  test('a process that ends anywhere in a run with a new segment: the next one ends the same, with the same handles', async () => {
    const { app, prompt } = await appOf(Reports, ResultsSection);
    const calls: ScriptStep = { toolCalls: [0, 1, 2].map((day) => ({ name: 'report', arguments: { day } })) };
    const settings = { history: { ...history, maxTokens: 4 * approximateTokens(reportOf(0)) } };
    const whole = new Conversation({ id: 'c' });
    for (const [index, script] of [
      [fetching(90), { text: 'Yes.' }] as const,
      [calls, { text: 'Done.' }] as const,
    ].entries())
      await app.evaluate(prompt, {
        ...{
          adapter: new ScriptedModel(script),
          conversation: whole,
          runId: `run ${String(index)}`,
          messages: user('Go on.'),
        },
        ...settings,
      });
    const entries = logOf(whole);
    const from = entries.findIndex((entry) => entry.kind === 'run' && entry.run === 'run 1') + 1;
    const kinds = entries.slice(from).map(({ kind }) => kind);
    expect(kinds).toEqual(['answer', 'outcome', 'outcome', 'outcome', 'segment', 'answer', 'end']);
    for (let length = from; length < entries.length; length++) {
      const conversation = reopened(whole, length);
      const answers = entries.slice(from, length).filter(({ kind }) => kind === 'answer').length;
      const adapter = new ScriptedModel([calls, { text: 'Done.' }].slice(answers));
      await app.evaluate(prompt, { adapter, conversation, ...settings });
      expect([length, logOf(conversation).slice(from)]).toEqual([length, entries.slice(from)]);
    }
  });

  test('a handle of another conversation or of no result is refused, with what to do', async () => {
    const { app, prompt } = await appOf(Reports, ResultsSection);
    const handles: string[] = [];
    const ask = async (conversation: Conversation, day: number, handle: (request: ModelRequest) => string) => {
      const steps: readonly ScriptStep[] = [fetching(day), (request) => ({ toolCalls: [reading(handle(request))] })];
      await app.evaluate(prompt, {
        ...{ adapter: new ScriptedModel([...steps, { text: 'Done.' }]), conversation, messages: user('Read.') },
        history: { ...history, maxTokens: 3_000 },
      });
      return lastResult(conversation);
    };
    const own = (request: ModelRequest): string => {
      handles.push(handleIn(request, 1));
      return handles[0] ?? '';
    };
    const first = new Conversation();
    expect(await ask(first, 1, own)).toContain('characters 0 to 4000 of 10000. Continue with offset 4000.');
    const [known = ''] = handles;
    const refused = /^This conversation has no result with the handle "[^"]+"\. Copy a handle exactly/;
    for (const handle of [known, '1.1.0', '1.1.0-00000000', '9.9.9-12345678', '../../etc/passwd'])
      expect(await ask(new Conversation(), 2, () => handle)).toMatch(refused);
    // A copy of the conversation has the results, too.
    expect(await ask(first.fork(), 3, () => known)).toContain(reportOf(1).slice(0, 4_000));
  });

  test.each<readonly [string, object, readonly Constructor[]]>([
    ['E736', {}, [Reports]],
    ['E411', { spillAbove: 10 }, [Reports, ResultsSection]],
    ['E411', { spillAbove: '500' }, [Reports, ResultsSection]],
    ['E411', { maxTokens: Number.NaN }, [Reports, ResultsSection]],
    ['E411', { summarise: 'short' }, [Reports, ResultsSection]],
  ])('what cannot work is refused with %s before the run: %j', async (code, other, sections) => {
    const { app, prompt } = await appOf(...sections);
    const adapter = new ScriptedModel([{ text: 'Never.' }]);
    const conversation = new Conversation();
    const run = app.evaluate(prompt, {
      adapter,
      conversation,
      messages: user('Hello.'),
      history: { ...history, ...other },
    });
    await expect(run).rejects.toMatchObject({ code });
    expect(conversation.messages).toEqual([]);
  });

  test('the tools stay the same from the first request on, and segments alone begin a prefix', async () => {
    const { app, prompt } = await appOf(Reports, ResultsSection);
    const events: PrefixMeasured[] = [];
    app.eventBus.subscribe(PrefixMeasured, (event) => void events.push(event));
    const conversation = new Conversation();
    const tools = new Set<string>();
    for (let turn = 0; turn < 20; turn++) {
      const adapter = new ScriptedModel([fetching(turn), { text: 'Seen.' }]);
      await app.evaluate(prompt, { adapter, conversation, history, messages: user(String(turn)) });
      for (const request of adapter.requests) tools.add(JSON.stringify(request.offeredTools?.('json-schema')));
    }
    expect(tools.size).toBe(1);
    const segments = conversation.toJSON().entries.filter(({ kind }) => kind === 'segment').length;
    expect(segments).toBeGreaterThan(0);
    expect(events.filter(({ changedBytes }) => changedBytes > 0)).toEqual([]);
    expect(events.filter(({ keptBytes }) => keptBytes === 0)).toHaveLength(segments + 1);
  });
});
