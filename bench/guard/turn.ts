// Whole runs with a model in the same process that takes no time.
import 'reflect-metadata';
import { createApplication, Session, type ModelAdapter } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import type { GuardedRows } from '../harness/GuardedRows.js';
import type { Contender } from '../harness/measure.js';
import { Orders } from '../tasks/orderTools.js';
import { placedText, valid } from '../tasks/placeOrder.js';

const TURNS = 50;
const ask = [{ role: 'user', content: 'Order what I ordered last time.' }] as const;

/** A model that calls the tool once, and then answers with its result. */
const adapter: ModelAdapter = {
  name: 'in process (not a model)',
  complete: async ({ messages }) => {
    const last = messages.at(-1);
    const usage = { inputTokens: 1, outputTokens: 1 };
    if (last?.role === 'tool') return { text: last.content, toolCalls: [], finishReason: 'stop', usage };
    const call = { id: `c${messages.length}`, name: 'place_order', arguments: JSON.stringify(valid) };
    return { text: null, toolCalls: [call], finishReason: 'tool_calls', usage };
  },
};

async function prepareRuns(turns: number, createConversation: () => Conversation | undefined): Promise<Contender> {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const app = await createApplication({ prompts: [Orders], logger });
  const prompt = app.prompt(Orders);
  return async () => {
    const [session, conversation] = [new Session(), createConversation()];
    for (let turn = 0; turn < turns; turn++) {
      const { text } = await app.evaluate(prompt, { adapter, messages: ask, session, conversation });
      if (text !== placedText) throw new TypeError(`the run ends with ${String(text)}`);
    }
  };
}

export const rows: GuardedRows = {
  'run of one call': () => prepareRuns(1, () => undefined),
  'conversation of 50 turns': () => prepareRuns(TURNS, () => new Conversation()),
};
