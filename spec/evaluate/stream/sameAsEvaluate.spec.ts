import fc from 'fast-check';
import {
  type Application,
  type BoundPrompt,
  Budget,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type EvaluateOptions,
  type Message,
  Param,
  type PromptResponse,
  type RunEvent,
  Session,
  type StreamEvent,
  ToolResult,
} from 'toolwright';
import { FakeClock, ScriptedModel, type ScriptedTurn } from 'toolwright/testing';
import { silent } from '../../support/silent';

class Note {
  constructor(readonly text: string) {}
}
class Given {
  @Param('Text') text!: string;
}

/** Tools that write, look, refuse, and fail after they have written. */
const tools = () => [
  defineTool({
    name: 'write',
    description: 'Writes.',
    params: Given,
    handler: async ({ text }, { session }) => {
      session.dispatch(new Note(text));
      await Promise.resolve();
      return session.slice(Note).all().length;
    },
  }),
  defineTool({
    name: 'look',
    description: 'Looks.',
    params: Given,
    hints: { readOnly: true },
    handler: async ({ text }, { session }) => {
      for (let left = text.length; left > 0; left--) await Promise.resolve();
      return session.slice(Note).all().length;
    },
  }),
  defineTool({ name: 'refuse', description: 'Refuses.', params: Given, handler: ({ text }) => ToolResult.error(text) }),
  defineTool({
    name: 'fail',
    description: 'Fails.',
    params: Given,
    handler: ({ text }, { session }) => {
      session.dispatch(new Note(text));
      throw new TypeError(text);
    },
  }),
];

interface Outcome {
  readonly response: PromptResponse | undefined;
  readonly error: string | undefined;
  readonly notes: readonly string[];
  readonly state: unknown;
  readonly events: readonly unknown[];
}

/** One run in an application of its own, with the same clock and ids each time. */
async function runOnce(
  script: readonly ScriptedTurn[],
  limits: Partial<EvaluateOptions>,
  run: (app: Application, prompt: BoundPrompt, options: EvaluateOptions) => Promise<PromptResponse | undefined>,
): Promise<Outcome> {
  const summary = { summary: 'Short.', visibility: 'summary', template: 'Long.' } as const;
  const type = definePrompt({
    ns: 'spec',
    key: 'desk',
    sections: [
      defineSection({ key: 'desk', title: 'Desk', template: 'Help.', tools: tools() }),
      defineSection({ key: 'more', title: 'More', ...summary }),
    ],
    completion: [
      {
        name: 'polite',
        check: ({ text }) =>
          text?.includes('a') === true ? { complete: true } : { complete: false, feedback: 'Say a.' },
      },
    ],
  });
  const app = await createApplication({ prompts: [type], logger: silent, clock: new FakeClock(), random: () => 0 });
  const session = new Session({ slices: [Note] });
  const events: RunEvent[] = [];
  const options = {
    adapter: new ScriptedModel(script),
    session,
    ...limits,
    onEvent: (event: RunEvent) => events.push(event),
  };
  const ended = await run(app, app.prompt(type), options).then(
    (response) => ({ response, error: undefined }),
    (error: unknown) => ({ response: undefined, error: String(error) }),
  );
  const notes = session
    .slice(Note)
    .all()
    .map(({ text }) => text);
  const told = events.map(({ id: _id, sessionId: _session, ...event }) => ({ ...event, kind: event.constructor.name }));
  // Calls that run together end in any order.
  const sorted = told.map((event) => JSON.stringify(event)).sort();
  const { id: _id, ...state } = session.toJSON() as unknown as Record<string, unknown>;
  return { ...ended, notes, state, events: sorted };
}

/** The conversation according to the events of a stream. */
function transcriptOf(events: readonly StreamEvent[]): readonly Message[] {
  const messages: Message[] = [];
  for (const [index, event] of events.entries()) {
    if (event.kind === 'note') messages.push(event.message);
    if (event.kind !== 'answer') continue;
    const { text: content, toolCalls, turn } = event;
    messages.push({ role: 'assistant', content, ...(toolCalls.length === 0 ? {} : { toolCalls }) });
    for (const call of toolCalls) {
      // A call that came twice ends once.
      const position = toolCalls.findIndex((one) => JSON.stringify(one) === JSON.stringify(call));
      const id = `${String(turn)}.${String(position)}`;
      const ended = events.slice(index).find((one) => one.kind === 'outcome' && one.call === id);
      if (ended?.kind !== 'outcome') throw new Error(`${call.id} did not end`);
      messages.push(ended.message);
    }
  }
  return messages;
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '🙂'), maxLength: 12 });
const call = fc.oneof(
  fc.record({
    name: fc.constantFrom('write', 'look', 'refuse', 'fail', 'unknown'),
    arguments: fc.oneof(
      fc.record({ text: fc.constantFrom('x', 'yy', 'zzz') }),
      fc.constantFrom('{', '', '{"text":"one"}', '{"text":1}'),
    ),
    id: fc.constantFrom('1', '2', '3'),
  }),
  fc.record({
    name: fc.constant('open_sections'),
    arguments: fc.constant({ section_keys: ['more'], reason: 'r' }),
    id: fc.constantFrom('1', '2'),
  }),
);
const usage = fc.option(fc.record({ totalTokens: fc.nat(60) }), { nil: undefined });
const turn = fc.record({ text: word, toolCalls: fc.array(call, { maxLength: 4 }), usage });
const limits = fc.record(
  {
    maxTurns: fc.integer({ min: 1, max: 6 }),
    budget: fc.constant(new Budget({ maxTotalTokens: 100, maxToolCalls: 6 })),
  },
  { requiredKeys: [] },
);

test('a run has the same result read as a stream, at any pace, as by evaluate', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { maxLength: 5 }).map((turns) => [...turns, { text: 'a' }]),
      limits,
      fc.array(fc.nat(3), { minLength: 1, maxLength: 7 }),
      async (script, given, pace) => {
        const streamed: StreamEvent[] = [];
        const evaluated = await runOnce(script, given, (app, prompt, options) => app.evaluate(prompt, options));
        const read = await runOnce(script, given, async (app, prompt, options) => {
          for await (const event of app.stream(prompt, options)) {
            streamed.push(event);
            for (let wait = pace[streamed.length % pace.length] ?? 0; wait > 0; wait--)
              await new Promise((resolve) => setImmediate(resolve));
          }
          const last = streamed.at(-1);
          if (last?.kind !== 'done') throw new Error('the stream ended without its response');
          return last.response;
        });
        expect(read).toEqual(evaluated);
        if (read.response === undefined) return;
        expect(transcriptOf(streamed)).toEqual(read.response.transcript.slice(1));
        const texts = new Map<number, string>();
        for (const event of streamed) {
          if (event.kind === 'text') texts.set(event.turn, (texts.get(event.turn) ?? '') + event.text);
          if (event.kind === 'answer') expect(texts.get(event.turn) ?? '').toBe(event.text ?? '');
        }
      },
    ),
    { numRuns: 100 },
  );
}, 60_000);

test('left at any event, a run has done what was announced until then, and does nothing more', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), fc.nat(12), async (script, last) => {
      let written = 0;
      const { notes } = await runOnce(script, {}, async (app, prompt, options) => {
        let left = last;
        for await (const event of app.stream(prompt, options)) {
          if (event.kind === 'outcome' && event.name === 'write' && !event.message.failed) written++;
          if (left-- === 0) break;
        }
        for (let wait = 0; wait < 5; wait++) await new Promise((resolve) => setImmediate(resolve));
        await app.close();
        return undefined;
      });
      expect(notes).toHaveLength(written);
    }),
    { numRuns: 100 },
  );
}, 60_000);
