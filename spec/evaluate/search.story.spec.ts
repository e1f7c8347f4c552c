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
import { Conversation, FoundTools } from 'toolwright/conversations';
import { expectStablePrefix, ScriptedModel } from 'toolwright/testing';
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

test.each<[string, OpenHouse, (tool: string, subject: string) => ToolUse]>([
  ['Anthropic, which gets the found tools as additions', openAnthropic(), call],
  ['OpenAI, which gets the found tools as items', openResponses(), call],
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
