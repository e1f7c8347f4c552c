// The desk whose chats the clients read: a scripted model, and a handler that is called without a network.
import 'reflect-metadata';
import { createApplication, definePrompt, defineSection, defineTool, Param } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { MemoryRuns, openRuns } from '@toolwright/durable';

class OrderParams {}
Param({ description: 'Number of the order.', type: String })(OrderParams.prototype, 'id');
class RefundParams {}
Param({ description: 'Number of the order.', type: String })(RefundParams.prototype, 'id');
Param({ description: 'Amount in dollars.', type: Number })(RefundParams.prototype, 'amount');

/**
 * Opens runs of a desk with a script.
 *
 * @param script of the model, as `ScriptedModel` takes it, or an adapter
 */
export async function openDesk(script, { store = new MemoryRuns(), options = {} } = {}) {
  const refunds = [];
  const getOrder = defineTool({
    name: 'get_order',
    description: 'Reads an order.',
    hints: { readOnly: true },
    params: OrderParams,
    handler: ({ id }, context) => {
      context.reportProgress({ fraction: 0.5, message: 'Looking it up.' });
      if (id === 'missing') throw new RangeError('There is no such order.');
      return { id, status: 'sent' };
    },
  });
  const refund = defineTool({
    name: 'refund',
    description: 'Refunds an amount.',
    requiresApproval: true,
    params: RefundParams,
    preview: ({ id, amount }) => `Would refund ${amount} for ${id}.`,
    handler: ({ id, amount }) => {
      refunds.push({ id, amount });
      return `Refunded ${amount} for ${id}.`;
    },
  });
  const returns = defineSection({
    key: 'returns',
    title: 'Returns',
    template: 'Returns are free for thirty days.',
    summary: 'How returns work.',
    visibility: 'summary',
    tools: [],
  });
  const orders = defineSection({
    key: 'orders',
    title: 'Orders',
    template: 'Look an order up first.',
    tools: [getOrder, refund],
  });
  const desk = definePrompt({ ns: 'shop', key: 'desk', sections: [orders, returns] });
  const app = await createApplication({
    prompts: [desk],
    approver: { approve: () => ({ kind: 'later' }) },
    keys: ['k'.repeat(32)],
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const adapter = Array.isArray(script) ? new ScriptedModel(script) : script;
  const prepare = ({ input }) => ({ prompt: desk, adapter, runMetadata: { principal: input?.user ?? 'ann' } });
  const runs = await openRuns(app, { store, prepare, ...options });
  return { app, runs, refunds, store, adapter, desk };
}

/** A transparent picture of one pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';

/** Returns a `fetch` that calls the handler, for the user whom the header `x-user` names. */
export function makeFetch(handler, user = 'ann') {
  return (url, init) => {
    const request = new Request(new URL(url, 'http://shop.test'), { duplex: 'half', ...init });
    request.headers.set('x-user', user);
    return handler(request);
  };
}

/** Authenticates by the header `x-user`. */
export const authenticate = (request) => {
  const id = request.headers.get('x-user');
  return id === null ? null : { id };
};

/** A step of a script: one call. */
export const call = (name, args) => ({ toolCalls: [{ name, arguments: args }] });
