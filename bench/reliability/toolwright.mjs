// Toolwright as built: conversations and durable runs in one SQLite file, and state in the session.
import { openRuns } from '@toolwright/durable';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { jsonSchema } from '@toolwright/json-schema';
import { createApplication, definePrompt, defineSection, defineTool, Session } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { PromptDrifted } from 'toolwright/events';
import { hostileArguments } from './faults.mjs';
import { judgeBadSchema, judgeHostile, judgeMessage } from './judge.mjs';
import { crash, errorOf, sleep } from './World.mjs';

class Stock {
  constructor(pieces) {
    this.pieces = pieces;
  }
}

const say = (content) => [{ role: 'user', content }];
const slices = [{ type: Stock, initial: () => new Stock(10) }];
const object = (properties) =>
  jsonSchema({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false });
const amount = object({ amount: { type: 'number' } });
const pieces = object({ pieces: { type: 'number' } });
const named = (name, handler, params = null, options = {}) =>
  defineTool({ name, description: `Does ${name}.`, params, handler, ...options });

/** The scripted model as an adapter. */
const createAdapter = (world) => ({
  name: 'scripted',
  async complete({ messages, toolSchemas }) {
    const { text = null, calls } = world.answer({
      system: messages.filter(({ role }) => role === 'system').map(({ content }) => content),
      tools: toolSchemas('openai').map(({ name, description, parameters }) => ({
        name,
        description,
        schema: parameters,
      })),
      messages: messages.filter(({ role }) => role !== 'system').map(toNeutral),
    });
    const toolCalls = calls.map(({ id, name, json }) => ({ id, name, arguments: json }));
    return { text, toolCalls, finishReason: calls.length > 0 ? 'tool_calls' : 'stop' };
  },
});

function toNeutral({ role, content, toolCalls, toolCallId }) {
  if (role === 'tool') return { role, text: content, answers: [toolCallId] };
  return { role, text: content, calls: toolCalls?.map(({ id }) => id) };
}

async function open(world, tools, { template = 'You help.', ...options } = {}) {
  const section = defineSection({ key: 'desk', title: 'Desk', template, tools });
  const prompt = definePrompt({ ns: 'faults', key: 'desk', sections: [section] });
  const app = await createApplication({ prompts: [prompt], ...options });
  const store = new SqliteRuns(world.file('runs.db'));
  const adapter = createAdapter(world);
  const session = new Session({ slices });
  const evaluate = (conversation, messages, more = {}) =>
    app.evaluate(app.prompt(prompt), { adapter, session, conversation, messages, ...more });
  const prepare = () => ({ prompt, adapter, slices });
  return { app, store, session, evaluate, prepare };
}

const charge = (world, after, options) =>
  named(
    'charge',
    async (_params, { call }) => {
      world.effect('charge', call.idempotencyKey);
      return after?.() ?? 'Charged.';
    },
    amount,
    options,
  );

export async function failedTool(world) {
  const reserve = named(
    'reserve',
    (params, { session }) => {
      session.slice(Stock).update((stock) => {
        stock.pieces -= params.pieces;
      });
      throw new Error('The warehouse is closed.');
    },
    pieces,
  );
  const { session, evaluate } = await open(world, [reserve]);
  await evaluate(new Conversation(), say('Go.'));
  const told = JSON.stringify(world.requests.at(-1).messages).includes('warehouse is closed');
  return { before: 10, after: session.slice(Stock).latest?.pieces ?? 10, told };
}

export async function killedEffect(world, phase) {
  const reserve = named('reserve', () => void world.effect('reserve') ?? 'ok', pieces);
  const { app, store, prepare } = await open(world, [reserve, charge(world, phase === 'begin' ? crash : undefined)]);
  const runs = await openRuns(app, { store, prepare });
  const { text } = await (await runs.start({ id: 'r-1', messages: say('Go.') })).result();
  const charges = world.effects('charge');
  const sameKey = new Set(charges.map(({ key }) => key)).size === 1;
  return { charged: charges.length, reserved: world.effects('reserve').length, sameKey, ended: text === 'Done.' };
}

export async function approval(world, phase) {
  const approver = { approve: () => ({ kind: 'later' }) };
  const tools = [charge(world, undefined, { requiresApproval: true })];
  const { app, store, prepare } = await open(world, tools, { approver });
  const runs = await openRuns(app, { store, prepare });
  if (phase === 'begin') {
    await runs.start({ id: 'r-1', messages: say('Go.') });
    while ((await runs.questions()).length === 0) await sleep(20);
    await crash();
  }
  const [question] = await runs.questions();
  const reply = () => runs.reply('r-1', question.id, { kind: 'approved' });
  await Promise.all([reply(), reply()]);
  await (await runs.start({ id: 'r-1', messages: say('Go.') })).result();
  const atOnce = world.effects('charge').length;
  await reply();
  await sleep(300);
  return { visible: question !== undefined, atOnce, later: world.effects('charge').length };
}

export async function prefix(world, phase) {
  const suffix = phase === 'changed' ? ' Be brief.' : '';
  const look = named('look', () => 'ok');
  const { app, store, evaluate } = await open(world, [look], { template: `You help.${suffix}` });
  let reported = false;
  app.eventBus.subscribe(PromptDrifted, () => {
    reported = true;
  });
  await evaluate(await Conversation.open(store, 'c-1'), say('Go.'));
  return { requests: world.requests, reported };
}

export async function hostile(world, name) {
  world.script = [{ calls: [{ name: 'refund', json: hostileArguments[name] }] }];
  let ran = false;
  const params = object({ id: { type: 'string' }, amount: { type: 'number' } });
  const { evaluate } = await open(world, [named('refund', () => ((ran = true), 'ok'), params)]);
  const error = await errorOf(evaluate(new Conversation(), say('Go.')));
  return judgeHostile(world, ran, error);
}

export function badSchema(world) {
  return judgeBadSchema(
    (handler, schema) => open(world, [named('good', handler), named('bad', () => 'ok', jsonSchema(schema))]),
    ({ evaluate }) => evaluate(new Conversation(), say('Go.')),
  );
}

export async function cancel(world) {
  let signalled = false;
  const slow = named('slow', async (_params, { signal, session }) => {
    signal.addEventListener('abort', () => (signalled = true));
    world.begin();
    await sleep(400);
    session.slice(Stock).update((stock) => {
      stock.pieces = 0;
    });
    return 'ok';
  });
  const { store, session, evaluate } = await open(world, [slow]);
  const conversation = await Conversation.open(store, 'c-1');
  const controller = new AbortController();
  const aborted = world.abortLater(controller);
  await errorOf(evaluate(conversation, say('Go.'), { signal: controller.signal }));
  const prompt = performance.now() - (await aborted) < 200;
  await sleep(500);
  const next = (await errorOf(evaluate(conversation, say('And now?')))) === undefined;
  return { prompt, signalled, late: session.slice(Stock).latest?.pieces === 0, next };
}

export async function message(world) {
  const slow = named('slow', async () => (world.begin(), await sleep(300), 'ok'));
  const { store, evaluate } = await open(world, [slow]);
  const conversation = await Conversation.open(store, 'c-1');
  const first = errorOf(evaluate(conversation, say('Go.')));
  await world.started;
  await conversation.steer('Only one, please.', { id: 's-1' });
  const errors = [await first];
  return judgeMessage(world, JSON.stringify(conversation.messages).includes('Only one, please.'), errors);
}
