// The prompt, the models and the helpers with which figures.mjs and dbos.mjs measure durable runs.
import 'reflect-metadata';
import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';
import { jsonSchema } from '@toolwright/json-schema';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
export const text = 'x'.repeat(400);
const tool = (name, hints) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    hints,
    params: jsonSchema({ type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }),
    handler: () => text,
  });
export const Desk = definePrompt({
  ns: 'figures',
  key: 'desk',
  sections: [
    defineSection({
      key: 'desk',
      title: 'Desk',
      tools: [tool('look', { readOnly: true }), tool('act', { idempotent: true })],
    }),
  ],
});
export const app = await createApplication({
  prompts: [Desk],
  logger: quiet,
  keys: ['a key of the figures, long enough'],
});
export const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

/** A run with two answers and one call between them. */
export const shortModel = {
  name: 'scripted (not a model)',
  complete({ messages }) {
    const isAsked = messages.at(-1).role === 'user';
    const toolCalls = isAsked ? [{ id: 'call_0', name: 'act', arguments: { id: '1' } }] : [];
    const finishReason = isAsked ? 'tool_calls' : 'stop';
    return Promise.resolve({ text: isAsked ? null : 'Done.', toolCalls, finishReason });
  },
};

/** A run with four answers and eight calls. Its model writes a request body each time, as the adapters of providers do. */
export const model = {
  name: 'scripted (not a model)',
  complete(request) {
    const [system, ...messages] = request.messages;
    const tools = request.offeredTools('json-schema');
    request.onSent?.({ tools, system: [system], messages, parameters: {} });
    const begin = messages.map(({ role }) => role).lastIndexOf('user');
    const turn = messages.slice(begin).filter(({ role }) => role === 'assistant').length;
    const call = (index) => ({
      id: `call_${turn}_${index}`,
      name: index % 2 ? 'act' : 'look',
      arguments: { id: `${turn}.${index}` },
    });
    const toolCalls = turn < 3 ? [0, 1, 2].slice(turn === 2 ? 1 : 0).map(call) : [];
    const finishReason = turn < 3 ? 'tool_calls' : 'stop';
    return Promise.resolve({ text: turn < 3 ? null : 'Done.', toolCalls, finishReason });
  },
};

/** A model that calls one tool in each of its answers, except in the last. */
export function longModel(answers) {
  return {
    name: 'scripted (not a model)',
    complete({ messages }) {
      const turn = messages.filter(({ role }) => role === 'assistant').length;
      const isLast = turn === answers - 1;
      const toolCalls = isLast ? [] : [{ id: `call_${turn}`, name: 'act', arguments: { id: `${turn}` } }];
      return Promise.resolve({
        text: isLast ? 'Done.' : null,
        toolCalls,
        finishReason: isLast ? 'stop' : 'tool_calls',
      });
    },
  };
}

export function report(what, ratio) {
  console.log(`${what}: ${ratio.toFixed(3)}`);
}
