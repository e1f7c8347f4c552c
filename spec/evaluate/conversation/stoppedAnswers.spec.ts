import fc from 'fast-check';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type ModelAdapter,
  type ModelResponse,
  Session,
  ThrottleError,
} from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import { Conversation, type RunEntry } from 'toolwright/conversations';

import { MemoryRuns } from '@toolwright/durable';
import { silent } from '../../support/silent';

/** The parts of each answer; an error stands for a provider that fails there. */
type Answers = readonly (readonly (string | { readonly reasoning: string } | { readonly call: string } | Error)[])[];

/** A model that streams its answers part by part, by the number of the request. */
function modelOf(answers: Answers) {
  const requests: (readonly { readonly role: string; readonly content: string | null }[])[] = [];
  const adapter: ModelAdapter = {
    name: 'streaming (not a model)',
    complete: () => Promise.reject(new TypeError('it streams')),
    async *stream({ messages }): AsyncGenerator<ModelPart> {
      const parts = answers[requests.length] ?? ['Nothing more.'];
      requests.push(messages);
      let text = '';
      const toolCalls: ModelResponse['toolCalls'][number][] = [];
      for (const part of parts) {
        await Promise.resolve();
        if (part instanceof Error) throw part;
        if (typeof part === 'string') {
          text += part;
          yield { kind: 'text', text: part };
        } else if ('reasoning' in part) yield { kind: 'reasoning', text: part.reasoning };
        else toolCalls.push({ id: `call-${String(requests.length)}`, name: part.call, arguments: {} });
      }
      const finishReason = toolCalls.length === 0 ? 'stop' : 'tool_calls';
      yield { kind: 'response', response: { text: text || null, toolCalls, finishReason, usage: undefined } };
    },
  };
  return { adapter, requests };
}

async function openDesk(answers: Answers) {
  const tool = defineTool({ name: 'keep', description: 'Keeps.', hints: { idempotent: true }, handler: () => 'kept' });
  const prompt = definePrompt({
    ns: 'spec',
    key: 'desk',
    sections: [defineSection({ key: 'desk', title: 'Desk', template: 'Work.', tools: [tool] })],
  });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  const { adapter, requests } = modelOf(answers);
  const abort = new AbortController();
  /** Reads the events of a run, and stops it once the condition holds. */
  const stopAt = async (
    conversation: Conversation,
    how: 'abort' | 'leave',
    isNow: (event: Seen, count: number) => boolean,
  ) => {
    const seen: Seen[] = [];
    const messages = [{ role: 'user', content: 'Go.' }] as const;
    const options = { adapter, conversation, session: new Session(), messages, signal: abort.signal };
    const stream = app.stream(app.prompt(prompt), options);
    try {
      for await (const event of stream) {
        seen.push(event as Seen);
        if (!isNow(event as Seen, seen.length)) continue;
        if (how === 'leave') break;
        abort.abort();
      }
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    }
    return seen;
  };
  const say = (conversation: Conversation, content: string) =>
    app.evaluate(app.prompt(prompt), {
      adapter: {
        ...adapter,
        complete: async (request) => {
          requests.push(request.messages);
          return Promise.resolve({ text: 'Yes.', toolCalls: [], finishReason: 'stop' as const, usage: undefined });
        },
      },
      conversation,
      session: new Session(),
      messages: [{ role: 'user', content }],
    });
  return { stopAt, say, requests };
}

interface Seen {
  readonly kind: string;
  readonly text?: string;
}

const endOf = (conversation: Conversation): RunEntry<'end'> | undefined =>
  conversation.toJSON().entries.findLast((entry): entry is RunEntry<'end'> => entry.kind === 'end');
const isText =
  (wanted: string) =>
  ({ kind, text }: Seen): boolean =>
    kind === 'text' && text === wanted;

describe('a run that is stopped in the middle of an answer', () => {
  test.each(['abort', 'leave'] as const)(
    'keeps the text so far for the next request and for readers: %s',
    async (how) => {
      const conversation = new Conversation();
      const { stopAt, say, requests } = await openDesk([['The order ', 'is on ', 'its way.']]);
      await stopAt(conversation, how, isText('is on '));
      expect(endOf(conversation)).toMatchObject({
        how: 'cancelled',
        messages: [{ role: 'assistant', content: 'The order is on ' }],
      });
      const again = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
      await say(again, 'And now?');
      expect(
        requests
          .at(-1)
          ?.slice(1)
          .map(({ role, content }) => `${role}: ${content ?? ''}`),
      ).toEqual(['user: Go.', 'assistant: The order is on ', 'user: And now?']);
    },
  );

  test.each<[string, Answers, string]>([
    ['only reasoning', [[{ reasoning: 'Hm.' }, { reasoning: 'Well.' }]], 'reasoning'],
    ['only blanks', [['\n', ' ']], 'text'],
  ])('keeps nothing of %s', async (_what, answers, kind) => {
    const conversation = new Conversation();
    const { stopAt } = await openDesk(answers);
    await stopAt(conversation, 'abort', (event) => event.kind === kind);
    expect(endOf(conversation)).toMatchObject({ how: 'cancelled', messages: [] });
  });

  test('keeps only the text of the last attempt, if the provider had failed before', async () => {
    const conversation = new Conversation();
    const throttled = new ThrottleError('busy', { kind: 'overloaded', retryAfter: 0, retrySafe: true });
    const { stopAt } = await openDesk([
      ['First ', throttled],
      ['Second ', 'try.'],
    ]);
    await stopAt(conversation, 'abort', isText('Second '));
    expect(endOf(conversation)?.messages).toEqual([{ role: 'assistant', content: 'Second ' }]);
  });

  test('keeps nothing while the provider is asked again', async () => {
    const conversation = new Conversation();
    const throttled = new ThrottleError('busy', { kind: 'overloaded', retryAfter: 0, retrySafe: true });
    const { stopAt } = await openDesk([['First ', throttled], ['Second.']]);
    await stopAt(conversation, 'abort', ({ kind }) => kind === 'retry');
    expect(endOf(conversation)).toMatchObject({ how: 'cancelled', messages: [] });
  });

  test('keeps no half of a character', async () => {
    const conversation = new Conversation();
    const { stopAt } = await openDesk([['Well \ud83d', '\udca1']]);
    await stopAt(conversation, 'abort', isText('Well \ud83d'));
    expect(endOf(conversation)?.messages).toEqual([{ role: 'assistant', content: 'Well ' }]);
  });

  test('a failed run keeps only what was recorded', async () => {
    const conversation = new Conversation();
    const { stopAt } = await openDesk([['Half ', new TypeError('out of order')]]);
    await expect(stopAt(conversation, 'abort', () => false)).rejects.toThrow('out of order');
    expect(endOf(conversation)).toMatchObject({ how: 'failed', messages: [] });
  });

  test('has each text that was shown once in its log, wherever it is stopped', async () => {
    const answers: Answers = [
      ['One ', 'two ', { call: 'keep' }],
      ['Three ', { reasoning: 'Hm.' }, 'four ', { call: 'keep' }],
      ['Five ', 'six.'],
    ];
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 24 }), fc.constantFrom('abort', 'leave'), async (count, how) => {
        const store = new MemoryRuns();
        const { stopAt, say, requests } = await openDesk(answers);
        const seen = await stopAt(await Conversation.open(store, 'c'), how, (_event, number) => number === count);
        const shown = seen.flatMap(({ kind, text }) => (kind === 'text' ? [text ?? ''] : [])).join('');
        const conversation = await Conversation.open(store, 'c');
        const said = conversation.messages.flatMap(({ role, content }) => (role === 'assistant' ? [content] : []));
        expect(said.join('')).toBe(shown);
        expect(conversation.state.open).toBeUndefined();
        await say(conversation, 'Next.');
        expect(requests.at(-1)?.at(-1)).toMatchObject({ role: 'user', content: 'Next.' });
      }),
      { numRuns: 48 },
    );
  });
});
