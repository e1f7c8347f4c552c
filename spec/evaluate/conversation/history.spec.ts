import {
  createApplication,
  type Message,
  type ModelRequest,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { expectStablePrefix, ScriptedModel } from 'toolwright/testing';
import { tokensOf } from './historyTokens';

const WINDOW = 32_000;

class Fact {
  @Param('What is worth remembering') text!: string;
}

@Section({ title: 'Notes', template: 'Write down what matters.' })
class Notes {
  @Tool({ description: 'Write a fact down.', hints: { openWorld: false } })
  note(fact: Fact, context: ToolContext): string {
    context.session.slice(Fact).append(fact);
    return `Noted: ${fact.text}`;
  }
}

@Section({
  title: 'Returns',
  template: 'Pay back within 30 days.',
  summary: 'How money is paid back.',
  visibility: 'summary',
})
class Returns {}

@Prompt({ ns: 'spec', key: 'history', sections: [Notes, Returns] })
class Desk {}

/** Every third turn writes a fact down, and the first one opens a section. */
function scriptOf(turn: number) {
  const facts = { toolCalls: [{ name: 'note', arguments: { text: `fact ${String(turn)}` } }] };
  const opens = {
    toolCalls: [{ name: 'open_sections', arguments: { section_keys: ['returns'], reason: 'To know.' } }],
  };
  return [
    ...(turn === 0 ? [opens] : []),
    ...(turn % 3 === 0 ? [facts] : []),
    { text: `Answer ${String(turn)}. ${'word '.repeat(40)}` },
  ];
}

const summarise = (messages: readonly Message[]): string => {
  const [first] = messages;
  const before = /(\d+) messages/.exec(first?.content ?? '')?.[1] ?? '0';
  return `${String(Number(before) + messages.length)} messages.`;
};

/** A talk of so many turns, read from JSON again before the turns that `isReopened` names. */
async function talk(turns: number, isReopened: (turn: number) => boolean) {
  const app = await createApplication({ prompts: [Desk] });
  const requests: ModelRequest[] = [];
  let conversation = new Conversation({ id: 'c' });
  let session = new Session({ slices: [Fact] });
  for (let turn = 0; turn < turns; turn++) {
    if (isReopened(turn)) {
      conversation = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
      session = new Session({ slices: [Fact] });
    }
    const adapter = new ScriptedModel(scriptOf(turn));
    const content = `Question ${String(turn)}: ${'and what of this? '.repeat(20)}`;
    await app.evaluate(app.prompt(Desk), {
      ...{ adapter, session, conversation, runId: `run ${String(turn)}` },
      messages: [{ role: 'user', content }],
      history: { maxTokens: WINDOW, summarise },
    });
    requests.push(...adapter.requests);
  }
  return { conversation, session, requests };
}

describe('a history that outgrows its window', () => {
  test('1,000 turns in 32,000 tokens: never over it, and the same end when it is read again before any turn', async () => {
    const { conversation, session, requests } = await talk(1_000, () => false);
    const segments = conversation.toJSON().entries.filter(({ kind }) => kind === 'segment');
    expect(segments.length).toBeGreaterThan(5);
    // The estimate of the window leaves out keys and brackets of the whole.
    expect(Math.max(...requests.map(tokensOf))).toBeLessThan(WINDOW * 1.02);
    expect(session.slice(Fact).all()).toHaveLength(334);
    const again = await talk(1_000, (turn) => turn % 97 === 50);
    expect(again.conversation.messages).toEqual(conversation.messages);
    expect(JSON.stringify(again.session.toJSON().slices)).toBe(JSON.stringify(session.toJSON().slices));
  }, 120_000);

  test('a new segment states opened sections in full, and each begins with the requests before it', async () => {
    const { conversation, requests } = await talk(300, () => false);
    expect(conversation.messages[0]?.content).toContain('Pay back within 30 days.');
    expect(conversation.messages[1]).toMatchObject({ role: 'user', note: 'application' });
    expect(conversation.messages[1]?.content).toMatch(/^\[Summary of the conversation so far:\n\d+ messages\.\]$/);
    const bySegment = grouped(requests);
    for (const group of bySegment.values()) expectStablePrefix(group);
    expect(bySegment.size).toBeGreaterThan(1);
  });

  test('a turn that is larger than the window alone is refused before it is sent', async () => {
    const app = await createApplication({ prompts: [Desk] });
    const adapter = new ScriptedModel([{ text: 'Never.' }]);
    const run = app.evaluate(app.prompt(Desk), {
      adapter,
      conversation: new Conversation(),
      messages: [{ role: 'user', content: 'word '.repeat(2_000) }],
      history: { maxTokens: 500, summarise },
    });
    await expect(run).rejects.toMatchObject({ code: 'E734' });
    expect(adapter.requests).toEqual([]);
  });
});

/** The requests by the system text and the summary that they begin with. */
function grouped(requests: readonly ModelRequest[]): ReadonlyMap<string, readonly ModelRequest[]> {
  const groups = new Map<string, ModelRequest[]>();
  for (const request of requests) {
    const [system, first] = request.messages;
    const isSummary = first?.role === 'user' && first.note === 'application';
    const key = JSON.stringify([system, isSummary ? first : null]);
    groups.set(key, [...(groups.get(key) ?? []), request]);
  }
  return groups;
}

describe('history.summarise that returns no summary', () => {
  const long = (): readonly Message[] => [{ role: 'user', content: `Go on. ${'and on '.repeat(400)}` }];

  async function talkWith(given: unknown) {
    const app = await createApplication({ prompts: [Desk] });
    const conversation = new Conversation({ id: 'c', session: 'apart' });
    const say = (adapter: ScriptedModel, write: unknown = () => given) =>
      app.evaluate(app.prompt(Desk), {
        adapter,
        conversation,
        messages: long(),
        history: { maxTokens: 3_000, summarise: write as () => string },
      });
    const answer = (): ScriptedModel => new ScriptedModel([{ text: 'Yes.' }]);
    for (let turn = 0; turn < 3; turn++) await say(answer());
    return { conversation, say, answer };
  }

  test.each<[string, unknown]>([
    ['a number', 5],
    ['null', null],
    ['undefined', undefined],
    ['an object', { text: 'Much.' }],
    ['a list', ['Much.']],
    ['true', true],
    ['an empty text', ''],
    ['a blank text', ' \n'],
    ['a promise of a number', Promise.resolve(5)],
    ['a promise of undefined', Promise.resolve()],
    ['a promise of an object', Promise.resolve({ text: 'Much.' })],
  ])('%s is E749; the model is not asked, and the conversation goes on once it is mended', async (_what, given) => {
    const { conversation, say, answer } = await talkWith(given);
    const before = conversation.messages;
    const model = answer();
    await expect(say(model)).rejects.toMatchObject({
      code: 'E749',
      message: expect.stringContaining('history.summarise must return a text, and returned') as string,
    });
    expect(model.requests).toEqual([]);
    expect(JSON.stringify(conversation)).not.toContain('Summary of');
    expect(conversation.messages.slice(0, before.length)).toEqual(before);
    const mended = answer();
    await say(mended, () => 'Much was said.');
    const [request] = mended.requests;
    expect(JSON.stringify(request?.messages)).toContain('[Summary of the conversation so far:\\nMuch was said.]');
  });
});
