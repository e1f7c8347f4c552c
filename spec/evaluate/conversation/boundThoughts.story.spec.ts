import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type EvaluateOptions,
  Field,
  type Message,
  Session,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { OpenAIChatAdapter } from '@toolwright/openai';
import { PrefixMeasured } from 'toolwright/events';
import { clientOver, json, saying } from '../../../packages/openai/spec/support/client';
import { openAiSdk, openAnthropic, openResponses, type Answer, type OpenHouse } from '../../support/houses';
import { EVERY_HOUSE, runHouse } from '../../support/runningHouses';
import { silent } from '../../support/silent';

jest.setTimeout(60_000);

class Verdict {
  @Field('True if the order is paid back') paid!: boolean;
}

const pay = defineTool({ name: 'pay', description: 'Pays back.', requiresApproval: true, handler: () => 'Paid.' });
const look = defineTool({ name: 'look', description: 'Looks.', hints: { readOnly: true }, handler: () => 'A lamp.' });
const send = defineTool({ name: 'send', description: 'Sends back.', handler: () => 'Sent.' });
const desk = definePrompt({
  ns: 'story',
  key: 'bound',
  sections: [
    defineSection({ key: 'orders', title: 'Orders', template: 'Help with orders.', tools: [look, pay] }),
    defineSection({
      key: 'returns',
      title: 'Returns',
      template: 'Send it back within 30 days.',
      summary: 'How to return.',
      visibility: 'summary' as const,
      tools: [send],
    }),
  ],
});

const say = (text: string): Answer => ({ text });
const call = (name: string, given: Record<string, unknown> = {}): Answer => ({ calls: [{ name, arguments: given }] });
const open = call('open_sections', { section_keys: ['returns'], reason: 'to help' });

/** A desk in front of a provider, and what was measured of its requests. */
async function deskAt(openHouse: OpenHouse) {
  const house = await runHouse(openHouse);
  const app = await createApplication({
    prompts: [desk],
    logger: silent,
    approver: { approve: () => ({ kind: 'later' }) },
  });
  let changed = 0;
  const kept: number[] = [];
  const unbound: number[] = [];
  app.eventBus.subscribe(PrefixMeasured, ({ changedBytes, keptBytes, unboundAnswers }) => {
    unbound.push(unboundAnswers);
    changed += changedBytes;
    kept.push(keptBytes);
  });
  let conversation = new Conversation();
  let session = new Session();
  const run = (options: Partial<EvaluateOptions>, ...answers: readonly Answer[]) => {
    house.play(...answers);
    return app.evaluate(app.prompt(desk), { adapter: house.adapter(), conversation, session, ...options });
  };
  return {
    house,
    run,
    /** Asks with a stream, and returns the text of the answer. */
    stream: async (content: string, ...answers: readonly Answer[]) => {
      house.play(...answers);
      const options = { adapter: house.adapter(), conversation, session, messages: user(content) };
      for await (const event of app.stream(app.prompt(desk), options))
        if (event.kind === 'done') return event.response.text;
      throw new TypeError('the stream ended without a response');
    },
    ask: (content: string, ...answers: readonly Answer[]) => run({ messages: user(content) }, ...answers),
    kept,
    unbound,
    conversation: () => conversation,
    /** Goes on with another conversation, or with the record of this one. */
    goOn: (other: Conversation) => {
      conversation = other;
      session = new Session();
    },
    /** Demands that nothing was refused, dropped, or changed. */
    expectWhole: () => {
      expect(house.faults()).toEqual([]);
      expect(changed).toBe(0);
    },
  };
}

const user = (content: string): readonly Message[] => [{ role: 'user', content }];
const read = (conversation: Conversation): Conversation =>
  Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
const summarise = (): string => 'The user asks about orders.';

describe.each(EVERY_HOUSE)('%s: nothing refused, nothing dropped, no earlier byte changed', (_name, openHouse) => {
  test('many turns, an opening, another process', async () => {
    const { house, ask, goOn, conversation, expectWhole } = await deskAt(openHouse);
    for (let turn = 0; turn < 5; turn++) await ask(`Question ${String(turn)}`, call('look'), say('A lamp.'));
    await ask('Send it back.', open, call('send'), say('It is sent.'));
    goOn(read(conversation()));
    await ask('And now?', call('look'), call('send'), say('Sent again.'));
    expectWhole();
    const bodies = house.bodies();
    // Each answer but the last one is sent back, with its thought.
    const thoughts = JSON.stringify(bodies.at(-1)).match(/"type":"(thinking|reasoning)"/g);
    expect(thoughts).toHaveLength(bodies.length - 1);
  });

  test('a history that is shortened, before a run and in the middle of one', async () => {
    const { run, ask, conversation, goOn, unbound, expectWhole } = await deskAt(openHouse);
    const history = { maxTokens: 1_500, summarise };
    const long = (turn: number): string => `Question ${String(turn)}: ${'and what of this? '.repeat(40)}`;
    const segments = (): number =>
      conversation()
        .toJSON()
        .entries.filter(({ kind }) => kind === 'segment').length;
    for (let turn = 0; turn < 12; turn++)
      await run(
        { messages: user(long(turn)), history },
        call('look'),
        turn === 3 ? open : call('look'),
        say('A lamp. '.repeat(60)),
      );
    expect(segments()).toBeGreaterThan(2);
    // The ledger says once for each segment how many answers lost their thoughts.
    const told = unbound.filter((count) => count > 0);
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThanOrEqual(segments());
    goOn(read(conversation()));
    await ask('And now?', call('look'), call('send'), say('Done.'));
    expectWhole();
  });

  test('the form of an answer for one run, and for the first one', async () => {
    const { run, ask, expectWhole } = await deskAt(openHouse);
    await ask('Hello.', call('look'), say('A lamp.'));
    const { output } = await run(
      { messages: user('Is it paid?'), output: Verdict },
      call('look'),
      say('{"paid":true}'),
    );
    expect(output).toEqual({ paid: true });
    await ask('Why?', call('look'), say('It was broken.'));
    expectWhole();
    const other = await deskAt(openHouse);
    await other.run({ messages: user('Is it paid?'), output: Verdict }, call('look'), say('{"paid":true}'));
    await other.run({ messages: user('And now?'), output: Verdict }, call('look'), say('{"paid":true}'));
    await other.ask('Why?', call('look'), say('It was broken.'));
    await other.run({ messages: user('Is it paid now?'), output: Verdict }, call('look'), say('{"paid":true}'));
    await other.ask('Why?', call('look'), say('It was broken.'));
    other.expectWhole();
  });

  test('an approval that is answered later', async () => {
    const { run, ask, conversation, goOn, expectWhole } = await deskAt(openHouse);
    await ask('Hello.', call('look'), say('A lamp.'));
    await expect(ask('Pay me back.', call('look'), call('pay'))).rejects.toMatchObject({ code: 'E711' });
    goOn(read(conversation()));
    const [question] = conversation().questions;
    await conversation().reply(question?.id ?? '', { kind: 'approved' });
    await run({}, say('It is paid.'));
    await ask('Thanks.', say('Welcome.'));
    expectWhole();
  });

  test('copies of the whole, and from before a run, go on without a change of earlier bytes', async () => {
    const { ask, run, conversation, goOn, kept, expectWhole } = await deskAt(openHouse);
    await ask('Hello.', call('look'), say('A lamp.'));
    await ask('Send it back.', open, say('Opened.'));
    await ask('Really.', call('send'), say('Sent.'));
    const controller = new AbortController();
    const cancelled = { ...say('Never.'), before: () => controller.abort(new Error('enough')) };
    const { signal } = controller;
    await expect(run({ messages: user('More.'), signal }, cancelled)).rejects.toThrow('enough');
    const original = conversation();
    const runs = original.toJSON().entries.flatMap((entry) => (entry.kind === 'run' ? [entry.run] : []));
    goOn(original.fork());
    await ask('And?', call('look'), say('Done.'));
    for (const before of runs.slice(1)) {
      goOn(original.fork({ before }));
      await ask('In other words.', open, call('send'), say('Sent.'));
    }
    // Each but the very first one repeats the request before, also the first ones of the forks.
    expect(kept.filter((bytes) => bytes === 0)).toHaveLength(1);
    expectWhole();
  });

  test('a conversation goes on after a cancelled request and one that failed', async () => {
    const { run, ask, expectWhole } = await deskAt(openHouse);
    await ask('Hello.', call('look'), say('A lamp.'));
    const controller = new AbortController();
    const cancelled = { ...say('Never.'), before: () => controller.abort(new Error('enough')) };
    const { signal } = controller;
    await expect(run({ messages: user('Send it back.'), signal }, open, cancelled)).rejects.toThrow('enough');
    await ask('Please.', call('send'), say('Sent.'));
    await ask('Thanks.', say('Welcome.'));
    expectWhole();
  });

  test('a change of the model, and back', async () => {
    const { run, ask, house, expectWhole } = await deskAt(openHouse);
    await ask('Hello.', call('look'), open, say('A lamp.'));
    const other = house.adapter('claude-opus-5').name.includes('claude') && house.adapter().name.includes('claude');
    const adapter = house.adapter(other ? 'claude-opus-5' : 'gpt-5.6-luna');
    await run({ messages: user('And you?'), adapter }, call('look'), call('send'), say('Sent.'));
    await ask('Hello again.', call('look'), call('send'), say('Sent.'));
    const older = house.adapter(other ? 'claude-sonnet-5' : 'gpt-5');
    await run({ messages: user('And the old one?'), adapter: older }, call('look'), say('A lamp.'));
    await ask('Back again.', call('look'), say('A lamp.'));
    expectWhole();
  });
});

describe.each<[string, OpenHouse]>([
  ['Anthropic', openAnthropic()],
  ['AI SDK, Anthropic', openAiSdk('anthropic.messages', 'claude-opus-5-5')],
])('%s: a paused answer', (_name, openHouse) => {
  test('a paused answer is continued, and goes back as it was', async () => {
    const { ask, stream, conversation, goOn, expectWhole } = await deskAt(openHouse);
    const { text } = await ask('Search.', { pauses: true, ...call('look') }, { pauses: true, text: 'Found.' });
    expect(text).toBe('Found.');
    await ask('And?', open, say('Opened.'));
    goOn(read(conversation()));
    expect(await stream('And now?', { pauses: true, ...call('send') }, { pauses: true, text: 'Done.' })).toBe('Done.');
    await ask('Thanks.', say('Welcome.'));
    expectWhole();
  });
});

test('Chat Completions and Responses with one model: the record goes on with what each of them decided', async () => {
  const { house, run, ask, conversation, expectWhole } = await deskAt(openResponses());
  await ask('Hello.', call('look'), say('A lamp.'));
  const chat = new OpenAIChatAdapter({
    client: clientOver(() => json(saying('Hello from Chat.'))),
    model: 'gpt-5.6-terra',
  });
  expect((await run({ adapter: chat, messages: user('And you?') })).text).toBe('Hello from Chat.');
  await ask('And now?', open, call('send'), say('Sent.'));
  const models = conversation()
    .toJSON()
    .entries.flatMap((entry) => (entry.kind === 'model' ? [entry.adapter] : []));
  expect(models).toEqual([house.adapter().name, 'openai-chat:gpt-5.6-terra', house.adapter().name]);
  expectWhole();
});
