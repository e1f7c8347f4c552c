import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Session,
  type Application,
  type BoundPrompt,
} from 'toolwright';
import { fallback } from 'toolwright/adapters';
import { Conversation, FoundTools } from 'toolwright/conversations';
import { expectStablePrefix, ScriptedModel } from 'toolwright/testing';
import { objects } from '../../packages/openai/spec/support/json';
import { openAiSdk, openAnthropic, openResponses, type Answer, type House, type OpenHouse } from '../support/houses';
import { silent } from '../support/silent';

class Subject {
  @Param('What it is about') subject!: string;
}

const done: string[] = [];

/** A desk with 300 tools to search, a summarised section, and a tool that is listed. */
async function desk(): Promise<{ readonly app: Application; readonly prompt: BoundPrompt }> {
  const tool = (name: string, description: string) =>
    defineTool({
      name,
      description,
      params: Subject,
      handler: ({ subject }) => {
        done.push(`${name} ${subject}`);
        return `Did ${name}.`;
      },
    });
  const others = Array.from({ length: 298 }, (_, at) => tool(`archive_${String(at)}`, `Archive drawer ${String(at)}.`));
  const sections = [
    defineSection({ key: 'desk', title: 'Desk', template: 'Help.', tools: [tool('note', 'Note something.')] }),
    defineSection({
      key: 'office',
      title: 'Office',
      searchable: true,
      tools: [...others, tool('pay_invoice', 'Pay an invoice.'), tool('book_flight', 'Book a flight.')],
    }),
    defineSection({
      key: 'refunds',
      title: 'Refunds',
      summary: 'How customers get their money back.',
      visibility: 'summary',
      template: 'Within 30 days.',
      tools: [tool('refund', 'Pay an order back.')],
    }),
  ];
  const type = definePrompt({ ns: 'shop', key: 'desk', search: true, sections });
  const app = await createApplication({ prompts: [type], logger: silent });
  return { app, prompt: app.prompt(type) };
}

const houses: House[] = [];
afterEach(async () => {
  done.length = 0;
  await Promise.all(houses.splice(0).map((house) => house.stop()));
});
async function start(open: OpenHouse): Promise<House> {
  const house = await open();
  houses.push(house);
  return house;
}

type ToolUse = NonNullable<Answer['calls']>[number];

const search = (query: string) => ({ name: 'search_tools', arguments: { query, limit: 1 } });
const call = (name: string, subject: string) => ({ name, arguments: { subject } });
/** A call through the tool that reaches closed tools where a provider adds none. */
const bridged = (tool: string, subject: string) => ({ name: 'use_tool', arguments: { tool, arguments: { subject } } });

/** The types of the items with which OpenAI gets searches and what they found. */
const searchItemsOf = (house: House): readonly unknown[] =>
  objects(house.bodies().at(-1)?.['input'])
    .map(([, { type }]) => type)
    .filter((type) => typeof type === 'string' && /search|additional/.test(type));

test.each<[string, OpenHouse, (tool: string, subject: string) => ToolUse]>([
  ['Anthropic, which gets the found tools as additions', openAnthropic(), call],
  ['OpenAI, which gets the found tools as results of its own search', openResponses(), call],
  ['OpenAI without items that add tools', openResponses({}, 'gpt-5.4'), call],
  ['OpenAI with toolSearch: false, which gets the found tools as items', openResponses({ toolSearch: false }), call],
  ['OpenAI of before, which reaches the found tools through a bridge', openResponses({}, 'gpt-5'), bridged],
  ['the AI SDK with a model of Anthropic', openAiSdk('anthropic.messages', 'claude-opus-5-5'), call],
])(
  'a model finds tools and a section in two runs of a conversation, and no earlier byte changes: %s',
  async (_name, open, use) => {
    const { app, prompt } = await desk();
    const house = await start(open);
    const adapter = house.adapter();
    const conversation = new Conversation();
    const say = (content: string) =>
      app.evaluate(prompt, { adapter, conversation, messages: [{ role: 'user', content }] });
    house.play(
      { calls: [call('note', 'begun'), search('paying invoices'), search('flights')] },
      { calls: [use('pay_invoice', 'I-7')] },
      { text: 'It is paid.' },
      { calls: [search('money back for a customer')] },
      { calls: [use('refund', 'W-1'), use('book_flight', 'F-9')] },
      { text: 'All is done.' },
    );
    expect((await say('Pay the invoice I-7.')).text).toBe('It is paid.');
    expect((await say('Refund W-1, and book F-9.')).text).toBe('All is done.');
    expect(done).toEqual(['note begun', 'pay_invoice I-7', 'refund W-1', 'book_flight F-9']);
    expect(house.faults()).toEqual([]);
    expect(house.bodies()).toHaveLength(6);
    expect(JSON.stringify(house.bodies().at(-1))).toContain('Within 30 days.');
  },
);

test('a found tool stays offered when the conversation goes on in another process', async () => {
  const { app, prompt } = await desk();
  const before = new ScriptedModel([{ toolCalls: [search('paying invoices')] }, { text: 'Which one?' }]);
  const conversation = new Conversation();
  await app.evaluate(prompt, { adapter: before, conversation, messages: [{ role: 'user', content: 'Pay.' }] });

  const other = await desk();
  const after = new ScriptedModel([{ toolCalls: [call('pay_invoice', 'I-8')] }, { text: 'Paid.' }]);
  const restored = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
  const session = new Session();
  await other.app.evaluate(other.prompt, {
    adapter: after,
    conversation: restored,
    session,
    messages: [{ role: 'user', content: 'I-8.' }],
  });
  expect(done).toEqual(['pay_invoice I-8']);
  expect(session.slice(FoundTools).latest()?.names).toEqual(['pay_invoice']);
  expect(expectStablePrefix([...before.requests, ...after.requests]).requests).toBe(4);
});

test('OpenAI gets each search and what it found in its own form, and an opened section as text', async () => {
  const { app, prompt } = await desk();
  const house = await start(openResponses());
  house.play(
    { calls: [search('paying invoices'), search('flights')] },
    { calls: [search('money back')] },
    { text: 'Done.' },
  );
  const conversation = new Conversation();
  await app.evaluate(prompt, { adapter: house.adapter(), conversation, messages: [{ role: 'user', content: 'Pay.' }] });
  const [asked, found] = ['tool_search_call', 'tool_search_output'];
  expect(searchItemsOf(house)).toEqual([asked, asked, found, found, asked, found]);
  const said = objects(house.bodies().at(-1)?.['input']).flatMap(([, { role, content }]) =>
    role === 'user' ? [content] : [],
  );
  expect(said).toEqual([
    'Pay.',
    expect.stringMatching(/^\[Result of search_tools\]\n\nTools that can be called now: refund\.[^]*Within 30 days\.$/),
  ]);
  expect(house.faults()).toEqual([]);
});

test.each<[string, OpenHouse, (tool: string, subject: string) => ToolUse]>([
  ['Anthropic', openAnthropic(), call],
  ['an older model of OpenAI', openResponses({}, 'gpt-5'), bridged],
  ['the AI SDK', openAiSdk('double.chat', 'double-1'), bridged],
])('a run that searches goes on with %s, in another process, and comes back', async (_name, openOther, use) => {
  const { app, prompt } = await desk();
  const [first, second] = [await start(openResponses()), await start(openOther)];
  const adapter = () => fallback([first.adapter(), second.adapter()], { retries: 0 });
  let conversation = new Conversation();
  const say = (content: string) =>
    app.evaluate(prompt, { adapter: adapter(), conversation, messages: [{ role: 'user', content }] });
  const goOn = (): void => {
    conversation = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
  };
  first.play({ calls: [search('paying invoices')] }, { fails: 529 });
  second.play(
    { calls: [use('pay_invoice', 'I-1'), search('flights')] },
    { calls: [use('book_flight', 'F-1')] },
    { text: 'Paid.' },
  );
  expect((await say('Pay I-1.')).text).toBe('Paid.');
  goOn();
  second.play({ fails: 529 });
  first.play(
    { calls: [call('book_flight', 'F-2'), search('money back')] },
    { calls: [call('refund', 'W-1')] },
    { text: 'Booked.' },
  );
  expect((await say('Book F-2.')).text).toBe('Booked.');
  goOn();
  first.play({ calls: [call('pay_invoice', 'I-2')] }, { text: 'Done.' });
  expect((await say('Pay I-2.')).text).toBe('Done.');
  expect(done).toEqual(['pay_invoice I-1', 'book_flight F-1', 'book_flight F-2', 'refund W-1', 'pay_invoice I-2']);
  expect([first.faults(), second.faults()]).toEqual([[], []]);
  // Reasoning is bound to other tools, so a segment without it begins for another model of one provider.
  const isNewSegment = conversation.toJSON().entries.some(({ kind }) => kind === 'segment');
  expect(isNewSegment).toBe(second.place.api === first.place.api);
  for (const house of isNewSegment ? [] : [first, second]) expectStablePrefix(house.bodies());
});

test('a tool of a section with the name search_tools is a function for OpenAI', async () => {
  const house = await start(openResponses());
  const own = defineTool({ name: 'search_tools', description: 'Looks for hammers.', handler: () => 'A hammer.' });
  const type = definePrompt({
    ns: 'shop',
    key: 'shed',
    sections: [defineSection({ key: 'shed', title: 'Shed', tools: [own] })],
  });
  const app = await createApplication({ prompts: [type], logger: silent });
  house.play({ calls: [{ name: 'search_tools', arguments: {} }] }, { text: 'Found.' });
  const { transcript } = await app.evaluate(app.prompt(type), {
    adapter: house.adapter(),
    messages: [{ role: 'user', content: 'A hammer?' }],
  });
  expect(transcript).toContainEqual(expect.objectContaining({ role: 'tool', content: 'A hammer.' }));
  expect(house.bodies()[0]?.['tools']).toMatchObject([{ type: 'function', name: 'search_tools' }]);
  expect(house.faults()).toEqual([]);
});
