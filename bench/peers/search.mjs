// Ranks tools with the tool search of the AI SDK: one generation for each query, in which a model without a provider searches.
import { generateText, isStepCount, jsonSchema, tool, toolSearch } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

export function peers({ tools, most }) {
  const deferred = tools.map(({ name, description }) => [
    name,
    tool({ description, inputSchema: jsonSchema({ type: 'object', properties: {} }), deferLoading: true }),
  ]);
  const all = { ...Object.fromEntries(deferred), find_tools: toolSearch({ maxResults: most }) };
  return {
    contenders: {
      'AI SDK 7 tool search': async (query) => {
        const call = { type: 'tool-call', toolCallId: '1', toolName: 'find_tools', input: JSON.stringify({ query }) };
        const model = new MockLanguageModelV4({
          doGenerate: async () => ({
            content: [call],
            finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
            usage,
            warnings: [],
          }),
        });
        const { toolResults } = await generateText({ model, tools: all, prompt: query, stopWhen: isStepCount(1) });
        return toolResults[0].output.tools.map(({ name }) => name);
      },
    },
  };
}
