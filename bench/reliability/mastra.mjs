// Mastra: an agent with memory in LibSQL; durable agents with checkpoints of running runs; messages by `sendMessage`.
import { Agent } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import { Mastra } from '@mastra/core/mastra';
import { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import { z } from 'zod';
import { hostileArguments } from './faults.mjs';
import { judgeBadSchema, judgeHostile, judgeMessage } from './judge.mjs';
import { createModel } from './languageModel.mjs';
import { crash, errorOf, sleep } from './World.mjs';

const memory = { thread: 'c-1', resource: 'ada' };
const named = (id, execute, inputSchema = z.object({}), options = {}) =>
  createTool({ id, description: `Does ${id}.`, inputSchema, execute, ...options });

function create(world, tools, { instructions = 'You help.' } = {}) {
  const storage = new LibSQLStore({ id: 'store', url: `file:${world.file('mastra.db')}` });
  const options = { lastMessages: 100 };
  const agent = new Agent({
    id: 'desk',
    name: 'desk',
    instructions,
    model: createModel(world),
    tools,
    maxRetries: 0,
    memory: new Memory({ storage, options }),
  });
  return { agent, storage };
}

function open(world, tools, options) {
  const { agent, storage } = create(world, tools, options);
  new Mastra({ agents: { desk: agent }, storage, logger: false });
  return agent;
}

const charge = (world, after, options) =>
  named(
    'charge',
    async (_args, { agent }) => {
      world.effect('charge', agent?.toolCallId);
      return after?.() ?? 'Charged.';
    },
    z.object({ amount: z.number() }),
    options,
  );

export async function failedTool(world) {
  const requestContext = new RequestContext([['stock', 10]]);
  const reserve = named(
    'reserve',
    async ({ pieces }, context) => {
      context.requestContext.set('stock', context.requestContext.get('stock') - pieces);
      throw new Error('The warehouse is closed.');
    },
    z.object({ pieces: z.number() }),
  );
  await open(world, { reserve }).generate('Go.', { memory, requestContext });
  const told = JSON.stringify(world.requests.at(-1).messages).includes('warehouse is closed');
  return { before: 10, after: requestContext.get('stock'), told };
}

export async function killedEffect(world, phase) {
  const reserve = named('reserve', async () => void world.effect('reserve') ?? 'ok', z.object({ pieces: z.number() }));
  const { agent, storage } = create(world, { reserve, charge: charge(world, phase === 'begin' ? crash : undefined) });
  const desk = createDurableAgent({ agent });
  const mastra = new Mastra({ agents: { desk }, storage, logger: false, recovery: { durableAgents: 'auto' } });
  if (phase === 'begin') {
    const { output } = await desk.stream('Go.', { memory });
    await output.text;
  }
  await mastra.recoverAllDurableAgents();
  for (let waited = 0; waited < 50 && world.effects('charge').length < 2; waited++) await sleep(100);
  await sleep(1_000);
  const { messages } = await (await agent.getMemory()).recall({ threadId: memory.thread, resourceId: memory.resource });
  const charges = world.effects('charge');
  const sameKey = new Set(charges.map(({ key }) => key)).size === 1;
  return {
    charged: charges.length,
    reserved: world.effects('reserve').length,
    sameKey,
    ended: JSON.stringify(messages).includes('Done.'),
  };
}

export async function approval(world, phase) {
  const agent = open(world, { charge: charge(world, undefined, { requireApproval: true }) });
  if (phase === 'begin') {
    const { runId, suspendPayload } = await agent.generate('Go.', { memory });
    world.effect('asked', JSON.stringify({ runId, toolCallId: suspendPayload?.toolCallId }));
    await crash();
  }
  const { runs } = await agent.listSuspendedRuns({ threadId: memory.thread, resourceId: memory.resource });
  const asked = JSON.parse(world.effects('asked')[0].key);
  const reply = () => errorOf(agent.approveToolCallGenerate({ ...asked, memory }));
  await Promise.all([reply(), reply()]);
  const atOnce = world.effects('charge').length;
  await reply();
  return { visible: runs.length > 0, atOnce, later: world.effects('charge').length };
}

export async function prefix(world, phase) {
  const suffix = phase === 'changed' ? ' Be brief.' : '';
  const look = named('look', async () => 'ok');
  await open(world, { look }, { instructions: `You help.${suffix}` }).generate('Go.', { memory });
  return { requests: world.requests, reported: false };
}

export async function hostile(world, name) {
  world.script = [{ calls: [{ name: 'refund', json: hostileArguments[name] }] }];
  let ran = false;
  const refund = named(
    'refund',
    async () => ((ran = true), 'ok'),
    z.strictObject({ id: z.string(), amount: z.number() }),
  );
  const error = await errorOf(open(world, { refund }).generate('Go.', { memory }));
  return judgeHostile(world, ran, error);
}

export function badSchema(world) {
  return judgeBadSchema(
    (execute, schema) => open(world, { good: named('good', execute), bad: named('bad', async () => 'ok', schema) }),
    (agent) => agent.generate('Go.', { memory }),
  );
}

export async function cancel(world) {
  let signalled = false;
  const requestContext = new RequestContext([['stock', 10]]);
  const slow = named('slow', async (_args, { abortSignal, requestContext: context }) => {
    abortSignal?.addEventListener('abort', () => (signalled = true));
    world.begin();
    await sleep(400);
    context.set('stock', 0);
    return 'ok';
  });
  const agent = open(world, { slow });
  const controller = new AbortController();
  const aborted = world.abortLater(controller);
  await errorOf(agent.generate('Go.', { memory, requestContext, abortSignal: controller.signal }));
  const prompt = performance.now() - (await aborted) < 200;
  await sleep(500);
  const next = (await errorOf(agent.generate('And now?', { memory }))) === undefined;
  return { prompt, signalled, late: requestContext.get('stock') === 0, next };
}

export async function message(world) {
  const slow = named('slow', async () => (world.begin(), await sleep(300), 'ok'));
  const agent = open(world, { slow });
  const stream = await agent.stream('Go.', { memory });
  const first = errorOf(stream.consumeStream());
  await world.started;
  await agent.sendMessage('Only one, please.', { threadId: memory.thread, resourceId: memory.resource }).accepted;
  const errors = [await first];
  await sleep(500);
  const { messages } = await (await agent.getMemory()).recall({ threadId: memory.thread, resourceId: memory.resource });
  return judgeMessage(world, JSON.stringify(messages).includes('Only one, please.'), errors);
}
