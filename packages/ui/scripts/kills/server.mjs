// The process that is killed: a chat over durable runs in a file. It prints its port.
import 'reflect-metadata';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createApplication, definePrompt, defineSection, defineTool, Param } from 'toolwright';
import { openRuns } from '@toolwright/durable';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { chatHandler, toNodeHandler } from '@toolwright/ui';

const [file, ledger] = process.argv.slice(2);

class RefundParams {}
Param({ description: 'Number of the order.', type: String })(RefundParams.prototype, 'id');

const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  requiresApproval: true,
  hints: { idempotent: true },
  params: RefundParams,
  // The payment service accepts each key once.
  handler: ({ id }, context) => {
    appendFileSync(ledger, `${context.call.idempotencyKey}\n`);
    return `Refunded ${id}.`;
  },
});
const read = defineTool({
  name: 'read_order',
  description: 'Reads an order.',
  hints: { readOnly: true },
  params: RefundParams,
  handler: ({ id }) => ({ id, status: 'sent' }),
});
const orders = defineSection({ key: 'orders', title: 'Orders', template: 'Look first.', tools: [read, refund] });
const desk = definePrompt({ ns: 'shop', key: 'desk', sections: [orders] });

/** Writes word by word, with time between the words for a kill. Its answers follow from the messages alone. */
const adapter = {
  name: 'slow words',
  complete: async (request) => answer(request.messages),
  async *stream({ messages }) {
    const response = answer(messages);
    for (const word of (response.text ?? '').split(/(?<= )/)) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      yield { kind: 'text', text: word };
    }
    yield { kind: 'response', response };
  },
};

function answer(messages) {
  const outcomes = messages.filter(({ role }) => role === 'tool').length;
  const call = (name, text) => ({
    text,
    toolCalls: [{ id: `c${outcomes}`, name, arguments: '{"id":"W7"}' }],
    finishReason: 'tool_calls',
  });
  if (outcomes === 0) return call('read_order', 'Let me look at that order first. ');
  if (outcomes === 1) return call('refund', 'It was sent, so I ask for the refund. ');
  const steered = messages.some(({ role, content }) => role === 'user' && content === 'By card, please.');
  return { text: `The money is on its way${steered ? ' to your card' : ''}.`, toolCalls: [], finishReason: 'stop' };
}

const app = await createApplication({
  prompts: [desk],
  approver: { approve: () => ({ kind: 'later' }) },
  keys: ['k'.repeat(32)],
  logger: { debug() {}, info() {}, warn() {}, error() {} },
});
const runs = await openRuns(app, { store: new SqliteRuns(file), prepare: () => ({ prompt: desk, adapter }) });
const handler = chatHandler(runs, { authenticate: () => ({ id: 'ann' }) });
const server = createServer(toNodeHandler(handler));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
