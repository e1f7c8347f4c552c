// Runs of two answers: the model calls the tool, and answers with its result. The models are in the same process: each library's own
// test model, or the smallest one that its interface allows.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { Agent, Runner, tool as agentsTool, Usage } from '@openai/agents';
import { generateText, isStepCount, tool as aiTool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { createAgent, tool as langchainTool } from 'langchain';
import { zodOrder } from './orderSchemas.mjs';

const about = { name: 'place_order', description: 'Place an order.' };
const system = 'Place the orders that you are asked for.';

export async function peers({ args, ask, ending, place }) {
  return {
    contenders: {
      'AI SDK 7 generateText': aiSdk(args, ask, ending, place),
      'OpenAI Agents Runner': agents(args, ask, ending, place),
      'LangChain createAgent': langchain(args, ask, ending, place),
      'Mastra Agent.generate': mastra(args, ask, ending, place),
    },
  };
}

/** Creates an answer of the AI SDK's models. */
function answerOf({ prompt }, args, ending) {
  const { role, content } = prompt.at(-1);
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  if (role !== 'tool') {
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: about.name, input: args };
    return { content: [call], finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] };
  }
  const { value } = content[0].output;
  const text = ending(typeof value === 'string' ? value : JSON.stringify(value));
  return { content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] };
}

function aiSdk(args, ask, ending, place) {
  const { name, description } = about;
  const tools = { [name]: aiTool({ description, inputSchema: zodOrder, execute: async (order) => place(order) }) };
  return async () => {
    const model = new MockLanguageModelV4({ doGenerate: async (request) => answerOf(request, args, ending) });
    const { text } = await generateText({ model, system, prompt: ask, tools, stopWhen: isStepCount(2) });
    return text;
  };
}

function mastra(args, ask, ending, place) {
  const { name, description } = about;
  const model = new MockLanguageModelV4({ doGenerate: async (request) => answerOf(request, args, ending) });
  const execute = async (order) => JSON.stringify(place(order));
  const tools = { [name]: createTool({ id: name, description, inputSchema: zodOrder, execute }) };
  const agent = new MastraAgent({ id: 'orders', name: 'orders', instructions: system, model, tools });
  return async () => (await agent.generate(ask, { maxSteps: 2 })).text;
}

function langchain(args, ask, ending, place) {
  class Model extends BaseChatModel {
    _llmType() {
      return 'in process';
    }

    bindTools() {
      return this;
    }

    async _generate(messages) {
      const last = messages.at(-1);
      const call = () => ({ type: 'tool_call', id: 'c1', name: about.name, args: JSON.parse(args) });
      const message =
        last.type === 'tool' ? new AIMessage(ending(last.text)) : new AIMessage({ content: '', tool_calls: [call()] });
      return { generations: [{ text: message.text, message }] };
    }
  }
  const tools = [langchainTool(async (order) => JSON.stringify(place(order)), { ...about, schema: zodOrder })];
  const agent = createAgent({ model: new Model({}), tools, systemPrompt: system });
  return async () => (await agent.invoke({ messages: [{ role: 'user', content: ask }] })).messages.at(-1).text;
}

function agents(args, ask, ending, place) {
  const call = { type: 'function_call', callId: 'c1', name: about.name, arguments: args, status: 'completed' };
  const model = {
    getResponse: async ({ input }) => {
      const last = input.at(-1);
      const isDone = last.type === 'function_call_result';
      const text = () => ({ type: 'output_text', text: ending(last.output.text) });
      const answer = isDone ? { type: 'message', role: 'assistant', status: 'completed', content: [text()] } : call;
      return { usage: new Usage({ requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 }), output: [answer] };
    },
    getStreamedResponse: () => {
      throw new TypeError('nothing is streamed here');
    },
  };
  const tools = [agentsTool({ ...about, parameters: zodOrder, execute: async (order) => place(order) })];
  const agent = new Agent({ name: 'orders', instructions: system, model, tools });
  const runner = new Runner({ tracingDisabled: true });
  return async () => (await runner.run(agent, ask)).finalOutput;
}
