// Each field of a recorded conversation is changed, one at a time: what is read back is refused with its place, or goes on with a request
// that the provider takes.
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  type ModelAdapter,
  PromptEvaluationError,
  Session,
  type ToolContext,
  ToolResult,
} from 'toolwright';
import { Conversation, type ConversationJson, type RunEntry } from 'toolwright/conversations';
import { AnthropicAdapter } from '@toolwright/anthropic';
import { OpenAIResponsesAdapter } from '@toolwright/openai';
import { clientOver as anthropicOver, message } from '../../../packages/anthropic/spec/support/client';
import { requestProblems } from '../../../packages/anthropic/spec/support/requestRules';
import { clientOver as openaiOver, json } from '../../../packages/openai/spec/support/client';
import { callItem, reasoningItem, responseOf, saidItem } from '../../../packages/openai/spec/support/responses';
import { responseProblems } from '../../../packages/openai/spec/support/responseRules';
import { silent } from '../../support/silent';

jest.setTimeout(240_000);

/** A line of the session's state. */
class Line {
  @Field('Item') readonly item: string;
  constructor(item: string) {
    this.item = item;
  }
}

const image = { kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;

async function openDesk() {
  const tool = (name: string, requiresApproval: boolean, handler: (context: ToolContext) => unknown) =>
    defineTool({
      ...{ name, description: `Does ${name}.`, requiresApproval },
      handler: (_params: unknown, context: ToolContext) => handler(context),
    });
  const look = tool('look', false, () => ToolResult.ok(null, 'A picture.', { parts: [image] }));
  const note = tool('note', false, ({ session }) => {
    session.dispatch(new Line('note'));
    return 'noted';
  });
  const pay = tool('pay', true, () => 'paid');
  const extra = tool('extra', false, () => 'extra');
  const prompt = definePrompt({
    ns: 'shop',
    key: 'desk',
    sections: [
      defineSection({ key: 'desk', title: 'Desk', template: 'Help.', tools: [look, note, pay] }),
      defineSection({
        key: 'more',
        title: 'More',
        template: 'Much more.',
        summary: 'More.',
        visibility: 'summary',
        tools: [extra],
      }),
    ],
  });
  const app = await createApplication({
    prompts: [prompt],
    logger: silent,
    keys: ['k'.repeat(40)],
    approver: { approve: () => ({ kind: 'later' }) },
  });
  return { app, prompt: app.prompt(prompt) };
}

/** An answer of a model: its text, or the tools that it calls. */
type Answer = string | readonly (readonly [name: string, args?: object])[];

const answers: readonly Answer[] = [
  [['look'], ['note']],
  [['open_sections', { section_keys: ['more'], reason: 'I need it.' }]],
  [['extra'], ['note']],
  'First answer.',
  [['note'], ['pay']],
];
const later: readonly Answer[] = ['Next answer.', 'Another answer.', 'Yet another.', 'And one more.'];

/** A provider with its official client, which refuses what the real one would. */
interface Provider {
  readonly name: string;
  open(script: readonly Answer[], refusals: string[]): ModelAdapter;
}

let ids = 0;
const anthropic: Provider = {
  name: 'Anthropic',
  open(script, refusals) {
    const left = [...script];
    const client = anthropicOver((sent, { headers }) => {
      const betas = new Headers(headers).get('anthropic-beta')?.split(',') ?? [];
      const problems = requestProblems(betas.length > 0 ? { ...(sent as object), betas } : sent);
      if (problems.length > 0) {
        refusals.push(...problems.map(({ message: text }) => text));
        const error = { type: 'invalid_request_error', message: refusals.join() };
        return json({ type: 'error', error }, 400);
      }
      const answer = left.shift() ?? 'The end.';
      const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's'.repeat(64) };
      const content =
        typeof answer === 'string'
          ? [thinking, { type: 'text', text: answer }]
          : [
              thinking,
              { type: 'text', text: 'I will.' },
              ...answer.map(([name, input = {}]) => ({ type: 'tool_use', id: `toolu_${String(++ids)}`, name, input })),
            ];
      const usage = { input_tokens: 5, output_tokens: 7 };
      return json(message(content, { usage, stop_reason: typeof answer === 'string' ? 'end_turn' : 'tool_use' }));
    });
    return new AnthropicAdapter({ client, model: 'claude-opus-5-5' });
  },
};
const responses: Provider = {
  name: 'Responses',
  open(script, refusals) {
    const left = [...script];
    const client = openaiOver((sent) => {
      const problems = responseProblems(sent);
      if (problems.length > 0) {
        refusals.push(...problems.map(({ message: text }) => text));
        return json({ error: { message: refusals.join(), type: 'invalid_request_error' } }, 400);
      }
      const answer = left.shift() ?? 'The end.';
      const output =
        typeof answer === 'string'
          ? [reasoningItem(`rs_${String(++ids)}`), saidItem(answer, { id: `msg_${String(++ids)}` })]
          : [
              reasoningItem(`rs_${String(++ids)}`),
              ...answer.map(([name, args = {}]) =>
                callItem(`call_${String(++ids)}`, name, JSON.stringify(args), { id: `fc_${String(++ids)}` }),
              ),
            ];
      return json(responseOf(output));
    });
    return new OpenAIResponsesAdapter({ client, model: 'gpt-5.6-terra' });
  },
};

type Desk = Awaited<ReturnType<typeof openDesk>>;

/** A run that has ended, and one that waits for an approval, or has it. */
async function record({ app, prompt }: Desk, provider: Provider, isApproved: boolean): Promise<ConversationJson> {
  const conversation = new Conversation({ id: 'changed on purpose' });
  const session = new Session({ slices: [Line] });
  const refusals: string[] = [];
  const adapter = provider.open(answers, refusals);
  const say = (content: string) =>
    app.evaluate(prompt, {
      adapter,
      session,
      conversation,
      messages: [{ role: 'user', content, parts: [image, { kind: 'text', text: 'Look.' }] }],
    });
  await say('Hello.');
  await expect(say('Pay.')).rejects.toMatchObject({ code: 'E711' });
  const [question] = conversation.questions;
  if (isApproved) await conversation.reply(question?.id ?? '', { kind: 'approved', by: 'ada' });
  expect(refusals).toEqual([]);
  return JSON.parse(JSON.stringify(conversation)) as ConversationJson;
}

/** A change of a record: what it is, and the changed entries. */
type Mutation = readonly [name: string, json: unknown];

const values: readonly (readonly [name: string, value: unknown])[] = [
  ['gone', undefined],
  ['null', null],
  ['number', 7],
  ['negative', -1],
  ['string', 'other'],
  ['empty', ''],
  ['list', []],
  ['object', {}],
  ['true', true],
];

/** The places of all values within a value, the outermost first. */
function placesIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? value.map((_item, index) => index) : Object.keys(value);
  const inner = keys.flatMap((key) => placesIn((value as Record<string | number, unknown>)[key], [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

function changedAt(json: ConversationJson, path: readonly (string | number)[], value: unknown): unknown {
  const copy = structuredClone(json) as unknown as Record<string | number, unknown>;
  let parent = copy;
  for (const step of path.slice(0, -1)) parent = parent[step] as typeof parent;
  const last = path.at(-1) ?? '';
  if (value !== undefined) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent, last);
  return copy;
}

function* mutations(json: ConversationJson): Generator<Mutation> {
  // Schemas of tools and the text of the prompt are the host's own words, to which any other words would be as good.
  const isOwn = (path: readonly (string | number)[]): boolean => path.includes('schema') || path.includes('sections');
  for (const path of placesIn(json)) {
    if (isOwn(path) && path.length > 5) continue;
    for (const [name, value] of values) yield [`${path.join('.')} ${name}`, changedAt(json, path, value)];
  }
  const withEntries = (entries: readonly RunEntry[]): unknown => structuredClone({ ...json, entries });
  const { entries } = json;
  for (const [at, entry] of entries.entries()) {
    yield [`entry ${String(at)} (${entry.kind}) removed`, withEntries(entries.filter((_, index) => index !== at))];
    yield [
      `entry ${String(at)} (${entry.kind}) twice`,
      withEntries([...entries.slice(0, at + 1), ...entries.slice(at)]),
    ];
    const swapped = [...entries.slice(0, at), ...entries.slice(at, at + 2).reverse(), ...entries.slice(at + 2)];
    yield [`entry ${String(at)} (${entry.kind}) swapped`, withEntries(swapped)];
    yield [`cut before ${String(at)}`, withEntries(entries.slice(0, at))];
    for (const [other, from] of entries.entries()) {
      if (other !== at && from.kind === entry.kind)
        yield [
          `entry ${String(at)} (${entry.kind}) as ${String(other)}`,
          withEntries(entries.map((each, index) => (index === at ? from : each))),
        ];
    }
  }
}

interface Finding {
  readonly name: string;
  readonly problem: string;
}

/** Reads a changed record and goes on with it; returns what should not have happened. */
async function problemOf({ app, prompt }: Desk, provider: Provider, json: unknown): Promise<string | undefined> {
  const refusals: string[] = [];
  const say = async (conversation: Conversation, content?: string): Promise<void> => {
    const messages = content === undefined ? undefined : [{ role: 'user' as const, content }];
    const adapter = provider.open(later, refusals);
    await app.evaluate(prompt, { adapter, session: new Session({ slices: [Line] }), conversation, messages });
  };
  for (const content of [undefined, 'And now?']) {
    try {
      const conversation = Conversation.fromJSON(structuredClone(json));
      try {
        await say(conversation, content);
        await say(Conversation.fromJSON(JSON.parse(JSON.stringify(conversation))), 'More?');
      } catch (error) {
        if (refusals.length > 0) return `the provider refused: ${refusals.join()}`;
        const { code = '' } = error as { readonly code?: string };
        if (!/^E7\d\d$/.test(code)) return String(error);
      }
    } catch (error) {
      if (!(error instanceof PromptEvaluationError) || error.code !== 'E709') return `fromJSON: ${String(error)}`;
      if (!/entries\[\d+\]|format|version|id|entries/.test(error.message)) return `no place: ${error.message}`;
    }
  }
  return undefined;
}

const kinds = [anthropic, responses].flatMap((provider) =>
  [false, true].map(
    (isApproved) => [provider.name, isApproved ? 'approved' : 'waiting', provider, isApproved] as const,
  ),
);
test.each(kinds)('%s, a record with a call that is %s', async (_name, _state, provider, isApproved) => {
  const desk = await openDesk();
  const json = await record(desk, provider, isApproved);
  expect(await problemOf(desk, provider, json)).toBeUndefined();
  const findings: Finding[] = [];
  let count = 0;
  for (const [name, mutated] of mutations(json)) {
    count++;
    const problem = await problemOf(desk, provider, mutated);
    if (problem !== undefined) findings.push({ name, problem });
  }
  expect(findings).toEqual([]);
  expect(count).toBeGreaterThan(1_000);
});
