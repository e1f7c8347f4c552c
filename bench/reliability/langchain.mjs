// LangChain 1 with LangGraph's SQLite checkpointer, its approval middleware, and state that tools change by a Command.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { makeInvalidToolCall, parseToolCall } from '@langchain/core/output_parsers/openai_tools';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { Command } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { createAgent, createMiddleware, humanInTheLoopMiddleware, tool, toolErrorMiddleware } from 'langchain';
import { z } from 'zod';
import { hostileArguments } from './faults.mjs';
import { judgeBadSchema, judgeHostile, judgeMessage } from './judge.mjs';
import { crash, errorOf, sleep } from './World.mjs';

const config = { configurable: { thread_id: 'c-1' } };
const say = (content) => ({ messages: [{ role: 'user', content }] });

class Model extends BaseChatModel {
  constructor(world, tools = []) {
    super({});
    this.world = world;
    this.tools = tools;
  }

  _llmType() {
    return 'scripted';
  }

  bindTools(tools) {
    return new Model(this.world, tools.map(convertToOpenAITool));
  }

  async _generate(messages) {
    const tools = this.tools.map(({ function: { name, description, parameters } }) => ({
      name,
      description,
      schema: parameters,
    }));
    const system = messages.filter(({ type }) => type === 'system').map(({ text }) => text);
    const shown = messages.filter(({ type }) => type !== 'system').map(toNeutral);
    const { text, calls } = this.world.answer({ system, tools, messages: shown });
    const message = new AIMessage({ content: text ?? '', ...readCalls(calls) });
    return { generations: [{ text: message.text, message }] };
  }
}

/** Reads calls as ChatOpenAI does. */
function readCalls(calls) {
  const [tool_calls, invalid_tool_calls] = [[], []];
  for (const { id, name, json } of calls) {
    const raw = { id, type: 'function', function: { name, arguments: json } };
    try {
      tool_calls.push(parseToolCall(raw, { returnId: true }));
    } catch (error) {
      invalid_tool_calls.push(makeInvalidToolCall(raw, error.message));
    }
  }
  return { tool_calls, invalid_tool_calls };
}

function toNeutral(message) {
  const { type, text } = message;
  if (type === 'human') return { role: 'user', text };
  if (type === 'tool') return { role: 'tool', text, answers: [message.tool_call_id] };
  return { role: 'assistant', text, calls: [...message.tool_calls, ...message.invalid_tool_calls].map(({ id }) => id) };
}

function open(world, tools, { middleware = [], systemPrompt = 'You help.' } = {}) {
  const checkpointer = SqliteSaver.fromConnString(world.file('langgraph.db'));
  const all = [toolErrorMiddleware({ onError: (error) => `The tool failed: ${error.message}` }), ...middleware];
  return createAgent({ model: new Model(world), tools, systemPrompt, checkpointer, middleware: all });
}

const named = (name, fn, schema = z.object({}), description = `Does ${name}.`) =>
  tool(fn, { name, description, schema });
const stockState = createMiddleware({ name: 'Stock', stateSchema: z.object({ stock: z.number().default(10) }) });
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
  const reserve = named(
    'reserve',
    async ({ pieces }, runtime) => {
      const stock = runtime.state.stock - pieces;
      if (stock > 0) throw new Error('The warehouse is closed.');
      return new Command({
        update: { stock, messages: [new ToolMessage({ content: 'ok', tool_call_id: runtime.toolCallId })] },
      });
    },
    z.object({ pieces: z.number() }),
  );
  const { stock } = await open(world, [reserve], { middleware: [stockState] }).invoke(
    { ...say('Go.'), stock: 10 },
    config,
  );
  return {
    before: 10,
    after: stock,
    told: JSON.stringify(world.requests.at(-1).messages).includes('warehouse is closed'),
  };
}

export async function killedEffect(world, phase) {
  const reserve = named('reserve', async () => void world.effect('reserve') ?? 'ok', z.object({ pieces: z.number() }));
  const agent = open(world, [reserve, charge(world, phase === 'begin' ? crash : undefined)]);
  if (phase === 'begin') await agent.invoke(say('Go.'), { ...config, durability: 'sync' });
  const { messages } = await agent.invoke(null, { ...config, durability: 'sync' });
  const charges = world.effects('charge');
  const sameKey = new Set(charges.map(({ key }) => key)).size === 1;
  return {
    charged: charges.length,
    reserved: world.effects('reserve').length,
    sameKey,
    ended: messages.at(-1).text === 'Done.',
  };
}

export async function approval(world, phase) {
  const middleware = [humanInTheLoopMiddleware({ interruptOn: { charge: true } })];
  const agent = open(world, [charge(world)], { middleware });
  if (phase === 'begin') {
    await agent.invoke(say('Go.'), config);
    await crash();
  }
  const { tasks } = await agent.getState(config);
  const visible = tasks.some(({ interrupts }) => interrupts.length > 0);
  const reply = () => errorOf(agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), config));
  await Promise.all([reply(), reply()]);
  const atOnce = world.effects('charge').length;
  await reply();
  return { visible, atOnce, later: world.effects('charge').length };
}

export async function prefix(world, phase) {
  const suffix = phase === 'changed' ? ' Be brief.' : '';
  const look = named('look', async () => 'ok');
  await open(world, [look], { systemPrompt: `You help.${suffix}` }).invoke(say('Go.'), config);
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
  const error = await errorOf(open(world, [refund]).invoke(say('Go.'), config));
  return judgeHostile(world, ran, error);
}

export function badSchema(world) {
  return judgeBadSchema(
    (execute, schema) => open(world, [named('good', execute), named('bad', async () => 'ok', schema)]),
    (agent) => agent.invoke(say('Go.'), config),
  );
}

export async function cancel(world) {
  let signalled = false;
  const slow = named('slow', async (_args, { signal, toolCallId }) => {
    signal?.addEventListener('abort', () => (signalled = true));
    world.begin();
    await sleep(400);
    return new Command({
      update: { stock: 0, messages: [new ToolMessage({ content: 'ok', tool_call_id: toolCallId })] },
    });
  });
  const agent = open(world, [slow], { middleware: [stockState] });
  const controller = new AbortController();
  const aborted = world.abortLater(controller);
  await errorOf(agent.invoke({ ...say('Go.'), stock: 10 }, { ...config, signal: controller.signal }));
  const prompt = performance.now() - (await aborted) < 200;
  await sleep(500);
  const { values } = await agent.getState(config);
  const next = (await errorOf(agent.invoke(say('And now?'), config))) === undefined;
  return { prompt, signalled, late: values.stock === 0, next };
}

export async function message(world) {
  const slow = named('slow', async () => (world.begin(), await sleep(300), 'ok'));
  const agent = open(world, [slow]);
  const first = errorOf(agent.invoke(say('Go.'), config));
  await world.started;
  const errors = [await errorOf(agent.invoke(say('Only one, please.'), config)), await first];
  const { values } = await agent.getState(config);
  return judgeMessage(
    world,
    values.messages.some(({ text }) => text === 'Only one, please.'),
    errors,
  );
}
