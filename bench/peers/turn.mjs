// Runs of two answers: the model calls the tool, and answers with its result. The models are in the same process: each library's own
// test model, or the smallest one that its interface allows.
import { Agent, Runner, tool as agentsTool, Usage } from '@openai/agents';
import { generateText, isStepCount, tool as aiTool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { zodOrder } from './orderSchemas.mjs';

const about = { name: 'place_order', description: 'Place an order.' };
const system = 'Place the orders that you are asked for.';

export async function peers({ args, ask, ending, place }) {
  return {
    contenders: {
      'AI SDK 7 generateText': aiSdk(args, ask, ending, place),
      'OpenAI Agents Runner': agents(args, ask, ending, place),
    },
  };
}

function aiSdk(args, ask, ending, place) {
  const tokens = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const call = { type: 'tool-call', toolCallId: 'c1', toolName: about.name, input: args };
  const tools = {
    [about.name]: aiTool({
      description: about.description,
      inputSchema: zodOrder,
      execute: async (order) => place(order),
    }),
  };
  return async () => {
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        const { role, content } = prompt.at(-1);
        const answer = role === 'tool' ? { type: 'text', text: ending(JSON.stringify(content[0].output.value)) } : call;
        const unified = role === 'tool' ? 'stop' : 'tool-calls';
        return { content: [answer], finishReason: { unified, raw: undefined }, usage: tokens, warnings: [] };
      },
    });
    const { text } = await generateText({ model, system, prompt: ask, tools, stopWhen: isStepCount(2) });
    return text;
  };
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
