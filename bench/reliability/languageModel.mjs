// The scripted model as a model of the AI SDK, which Mastra takes as well.
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

export function createModel(world) {
  const answer = ({ prompt, tools = [] }) => {
    const { text, calls } = world.answer({
      system: prompt.filter(({ role }) => role === 'system').map(({ content }) => content),
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, schema: inputSchema })),
      messages: prompt.filter(({ role }) => role !== 'system').map(toNeutral),
    });
    const parts = calls.map(({ id, name, json }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input: json,
    }));
    const finishReason = { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined };
    return { text, parts, finishReason };
  };
  return new MockLanguageModelV4({
    doGenerate: async (request) => {
      const { text, parts, finishReason } = answer(request);
      const content = text === undefined ? parts : [{ type: 'text', text }, ...parts];
      return { content, finishReason, usage, warnings: [] };
    },
    doStream: async (request) => {
      const { text, parts, finishReason } = answer(request);
      const texts = [
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: text },
        { type: 'text-end', id: 't' },
      ];
      const chunks = [
        { type: 'stream-start', warnings: [] },
        ...(text === undefined ? [] : texts),
        ...parts,
        { type: 'finish', finishReason, usage },
      ];
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
    },
  });
}

function toNeutral({ role, content }) {
  const idsOf = (wanted) => content.filter(({ type }) => type === wanted).map(({ toolCallId }) => toolCallId);
  const text = content
    .filter(({ type }) => type === 'text')
    .map((part) => part.text)
    .join('');
  if (role === 'user') return { role, text };
  if (role === 'assistant') return { role, text, calls: idsOf('tool-call') };
  return { role, text: JSON.stringify(content.map(({ output }) => output)), answers: idsOf('tool-result') };
}
