// AI SDK 7: a ToolLoopAgent, with its messages in a file after each step, as "Chatbot Message Persistence" shows for a database.
import { isStepCount, jsonSchema, tool, ToolLoopAgent } from 'ai';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { hostileArguments } from './faults.mjs';
import { judgeBadSchema, judgeHostile, judgeMessage } from './judge.mjs';
import { createModel } from './languageModel.mjs';
import { crash, errorOf, sleep } from './World.mjs';

const user = (content) => ({ role: 'user', content });
const named = (name, execute, inputSchema = z.object({}), description = `Does ${name}.`) =>
  tool({ description, inputSchema, execute });
const open = (world, tools, options = {}) =>
  new ToolLoopAgent({
    model: createModel(world),
    instructions: 'You help.',
    tools,
    stopWhen: isStepCount(5),
    maxRetries: 0,
    ...options,
  });

const load = (world) =>
  existsSync(world.file('chat.json')) ? JSON.parse(readFileSync(world.file('chat.json'), 'utf8')) : [];
const save = (world, messages) => writeFileSync(world.file('chat.json'), JSON.stringify(messages));

/** Runs the agent, and saves the conversation after each step. */
async function run(world, agent, messages, options = {}) {
  save(world, messages);
  const made = [];
  const onStepEnd = ({ response }) => {
    made.splice(0, made.length, ...response.messages);
    save(world, [...messages, ...made]);
  };
  const result = await agent.generate({ messages, onStepEnd, ...options });
  save(world, [...messages, ...result.responseMessages]);
  return result;
}

const charge = (world, after) =>
  named(
    'charge',
    async (_args, { toolCallId }) => {
      world.effect('charge', toolCallId);
      return after?.() ?? 'Charged.';
    },
    z.object({ amount: z.number() }),
  );

export async function failedTool(world) {
  const runtimeContext = { stock: 10 };
  const reserve = named(
    'reserve',
    async ({ pieces }) => {
      runtimeContext.stock -= pieces;
      throw new Error('The warehouse is closed.');
    },
    z.object({ pieces: z.number() }),
  );
  await open(world, { reserve }, { runtimeContext }).generate({ prompt: 'Go.' });
  const told = JSON.stringify(world.requests.at(-1).messages).includes('warehouse is closed');
  return { before: 10, after: runtimeContext.stock, told };
}

export async function killedEffect(world, phase) {
  const reserve = named('reserve', async () => void world.effect('reserve') ?? 'ok', z.object({ pieces: z.number() }));
  const agent = open(world, { reserve, charge: charge(world, phase === 'begin' ? crash : undefined) });
  if (phase === 'begin') await run(world, agent, [user('Go.')]);
  const { text } = await run(world, agent, load(world));
  const charges = world.effects('charge');
  const sameKey = new Set(charges.map(({ key }) => key)).size === 1;
  return { charged: charges.length, reserved: world.effects('reserve').length, sameKey, ended: text === 'Done.' };
}

export async function approval(world, phase) {
  const agent = open(world, { charge: charge(world) }, { toolApproval: { charge: 'user-approval' } });
  if (phase === 'begin') {
    await run(world, agent, [user('Go.')]);
    await crash();
  }
  const findRequest = () =>
    load(world)
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .find(({ type }) => type === 'tool-approval-request');
  const request = findRequest();
  const { approvalId } = request;
  const response = { type: 'tool-approval-response', approvalId, approved: true };
  const reply = () => errorOf(run(world, agent, [...load(world), { role: 'tool', content: [response] }]));
  await Promise.all([reply(), reply()]);
  const atOnce = world.effects('charge').length;
  await reply();
  return { visible: request !== undefined, atOnce, later: world.effects('charge').length };
}

export async function prefix(world, phase) {
  const suffix = phase === 'changed' ? ' Be brief.' : '';
  const look = named('look', async () => 'ok');
  const agent = open(world, { look }, { instructions: `You help.${suffix}` });
  await run(world, agent, [...load(world), user('Go.')]);
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
  const error = await errorOf(open(world, { refund }).generate({ prompt: 'Go.' }));
  return judgeHostile(world, ran, error);
}

export function badSchema(world) {
  return judgeBadSchema(
    (execute, schema) =>
      open(world, { good: named('good', execute), bad: named('bad', async () => 'ok', jsonSchema(schema)) }),
    (agent) => agent.generate({ prompt: 'Go.' }),
  );
}

export async function cancel(world) {
  let signalled = false;
  const runtimeContext = { stock: 10 };
  const slow = named('slow', async (_args, { abortSignal }) => {
    abortSignal?.addEventListener('abort', () => (signalled = true));
    world.begin();
    await sleep(400);
    runtimeContext.stock = 0;
    return 'ok';
  });
  const agent = open(world, { slow }, { runtimeContext });
  const controller = new AbortController();
  const aborted = world.abortLater(controller);
  await errorOf(run(world, agent, [user('Go.')], { abortSignal: controller.signal }));
  const prompt = performance.now() - (await aborted) < 200;
  await sleep(500);
  const next = (await errorOf(run(world, agent, [...load(world), user('And now?')]))) === undefined;
  return { prompt, signalled, late: runtimeContext.stock === 0, next };
}

export async function message(world) {
  const slow = named('slow', async () => (world.begin(), await sleep(300), 'ok'));
  const waiting = [];
  // `prepareStep` may add messages to the next request, and `load` finds them again if they are saved with the conversation.
  const prepareStep = ({ messages }) => ({ messages: [...messages, ...waiting] });
  const agent = open(world, { slow }, { prepareStep });
  const first = errorOf(run(world, agent, [user('Go.')]));
  await world.started;
  waiting.push(user('Only one, please.'));
  const errors = [await first];
  return judgeMessage(world, JSON.stringify(load(world)).includes('Only one, please.'), errors);
}
