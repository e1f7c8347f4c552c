import { createApplication, definePrompt, defineSection, defineTool, Field, type Message, Session } from 'toolwright';
import { fallback } from 'toolwright/adapters';
import { Conversation, type RunEntry } from 'toolwright/conversations';
import { PrefixMeasured } from 'toolwright/events';
import { expectStablePrefix } from 'toolwright/testing';
import { openAiSdk, openAnthropic, openResponses, type Answer, type House, type OpenHouse } from '../../support/houses';
import { adapterAt } from '../../support/houseAdapters';
import { runHouse } from '../../support/runningHouses';
import { silent } from '../../support/silent';

jest.setTimeout(60_000);

class Verdict {
  @Field('True if the order is paid back') paid!: boolean;
}

const say = (text: string): Answer => ({ text });
const call = (name: string, given: Record<string, unknown> = {}): Answer => ({ calls: [{ name, arguments: given }] });
const open = call('open_sections', { section_keys: ['returns'], reason: 'to help' });
const fail = (status: number): Answer => ({ fails: status });
const user = (content: string): readonly Message[] => [{ role: 'user', content }];

/** A desk in front of two models, of which the second one answers where the first one does not. */
async function deskAt(first: House, second: House, models: readonly (string | undefined)[] = []) {
  const effects: string[] = [];
  const look = defineTool({ name: 'look', description: 'Looks.', hints: { readOnly: true }, handler: () => 'A lamp.' });
  const send = defineTool({
    name: 'send',
    description: 'Sends back.',
    handler: () => {
      effects.push('sent');
      return 'Sent.';
    },
  });
  const desk = definePrompt({
    ns: 'story',
    key: 'fallback',
    sections: [
      defineSection({ key: 'orders', title: 'Orders', template: 'Help with orders.', tools: [look] }),
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
  const app = await createApplication({ prompts: [desk], logger: silent });
  let changed = 0;
  app.eventBus.subscribe(PrefixMeasured, ({ changedBytes }) => void (changed += changedBytes));
  const adapter = () => fallback([first.adapter(models[0]), second.adapter(models[1])], { retries: 0 });
  let conversation = new Conversation();
  let session = new Session();
  const options = (content: string) => ({ adapter: adapter(), conversation, session, messages: user(content) });
  return {
    effects,
    ask: (content: string, output?: typeof Verdict) =>
      app.evaluate(app.prompt(desk), { ...options(content), ...(output === undefined ? {} : { output }) }),
    stream: async (content: string) => {
      const kinds: string[] = [];
      for await (const { kind } of app.stream(app.prompt(desk), options(content))) kinds.push(kind);
      return kinds;
    },
    entries: (): readonly RunEntry[] => conversation.toJSON().entries,
    /** Goes on with the record, as another process does. */
    goOn: () => {
      conversation = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
      session = new Session();
    },
    /** Demands that no provider refused or dropped anything, and that each got requests that only grew. */
    expectWhole: () => {
      expect([first.faults(), second.faults()]).toEqual([[], []]);
      expect(changed).toBe(0);
    },
  };
}

const models = (entries: readonly RunEntry[]): readonly string[] =>
  entries.flatMap((entry) => (entry.kind === 'model' ? [entry.adapter] : []));

const HOUSES: readonly (readonly [string, OpenHouse])[] = [
  ['Anthropic', openAnthropic()],
  ['OpenAI Responses', openResponses()],
  ['AI SDK', openAiSdk('double.chat', 'double-1')],
];
const PAIRS = HOUSES.flatMap(([one, openOne]) =>
  HOUSES.filter(([other]) => other !== one).map(([other, openOther]) => [one, other, openOne, openOther] as const),
);

describe.each(PAIRS)('%s, then %s', (_one, _other, openOne, openOther) => {
  test('a run goes on in the middle with the tools of an opened section, later runs stay, and the first model comes back', async () => {
    const [first, second] = [await runHouse(openOne), await runHouse(openOther)];
    const { ask, stream, effects, entries, goOn, expectWhole } = await deskAt(first, second);
    first.play(call('look'), say('A lamp.'));
    await ask('Hello.');
    first.play(open, fail(529));
    second.play(call('send'), say('It is sent.'));
    expect((await ask('Send it back.')).text).toBe('It is sent.');
    expect(effects).toEqual(['sent']);
    second.play(call('look'), say('Again a lamp.'));
    await ask('And now?');
    goOn();
    second.play(call('send'), fail(401));
    first.play(call('look'), say('Here I am.'));
    expect(await stream('Once more.')).toContain('retry');
    expect(effects).toEqual(['sent', 'sent']);
    first.play(say('Welcome.'));
    await ask('Thanks.');
    const [one, other] = [first.adapter().name, second.adapter().name];
    expect(models(entries())).toEqual([one, other, one]);
    expectStablePrefix(first.bodies());
    expectStablePrefix(second.bodies());
    expectWhole();
  });

  test('the form of the answers reaches each model, and is not taken back', async () => {
    const [first, second] = [await runHouse(openOne), await runHouse(openOther)];
    const { ask, goOn, expectWhole } = await deskAt(first, second);
    const paid = say('{"paid":true}');
    first.play(call('look'), fail(503));
    second.play(paid);
    expect((await ask('Is it paid?', Verdict)).output).toEqual({ paid: true });
    goOn();
    second.play(fail(503));
    first.play(call('look'), paid);
    expect((await ask('And now?', Verdict)).output).toEqual({ paid: true });
    expectStablePrefix(first.bodies());
    expectStablePrefix(second.bodies());
    expectWhole();
  });
});

describe.each<[string, OpenHouse, string, string]>([
  ['Anthropic', openAnthropic(), 'claude-opus-5-5', 'claude-sonnet-5'],
  ['OpenAI Responses', openResponses(), 'gpt-5.6-terra', 'gpt-5'],
])('%s: two models of one provider, of which one cannot add tools', (_name, openHouse, newer, older) => {
  test.each([
    ['from the newer to the older', newer, older],
    ['from the older to the newer', older, newer],
  ])('%s: the thinking that is bound to other tools is not sent, and nothing is refused', async (_way, one, other) => {
    const house = await runHouse(openHouse);
    const { ask, effects, entries, expectWhole } = await deskAt(house, house, [one, other]);
    house.play(call('look'), say('A lamp.'));
    await ask('Hello.');
    house.play(open, fail(529), call('send'), say('It is sent.'));
    await ask('Send it back.');
    house.play(call('look'), say('A lamp.'));
    await ask('And now?');
    house.play(call('look'), fail(500), call('send'), say('Back again.'));
    expect((await ask('Once more.')).text).toBe('Back again.');
    expect(effects).toEqual(['sent', 'sent']);
    expect(models(entries()).map((name) => name.split(':')[1])).toEqual([one, other, one]);
    expect(entries().some((entry) => entry.kind === 'segment' && entry.reason === 'model')).toBe(true);
    expectWhole();
  });
});

test('two adapters of one provider with other limits: what is too long for one goes to the other, with its own limit', async () => {
  const house = await runHouse(openResponses({}, 'gpt-5-mini'));
  const options = { parameters: { max_output_tokens: 16 } };
  const small: House = { ...house, adapter: (model) => adapterAt({ ...house.place, options }, model) };
  const { ask, goOn, effects, entries, expectWhole } = await deskAt(small, house, ['gpt-5-mini', 'gpt-5']);
  house.play(open, { ...call('send'), isCut: true }, call('send'), say('It is sent.'));
  expect((await ask('Send it back.')).text).toBe('It is sent.');
  // The call that was cut off did not run.
  expect(effects).toEqual(['sent']);
  house.play(say('Again.'));
  await ask('And now?');
  goOn();
  house.play(fail(413), say('Short.'));
  expect((await ask('Once more.')).text).toBe('Short.');
  expect(models(entries()).map((name) => name.split(':')[1])).toEqual(['gpt-5-mini', 'gpt-5', 'gpt-5-mini']);
  const limits = house.bodies().map(({ model, max_output_tokens: most }) => [model, most]);
  const [mini, large] = [
    ['gpt-5-mini', 16],
    ['gpt-5', undefined],
  ];
  expect(limits).toEqual([mini, mini, large, large, large, large, mini]);
  // Both get the same tools in the same way, so that one goes on with what the other said.
  expectStablePrefix(house.bodies());
  expectWhole();
});
