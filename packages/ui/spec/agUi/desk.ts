import 'reflect-metadata';
import { createApplication, definePrompt, defineSection, defineTool, type ModelAdapter, Param } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { MemoryRuns, openRuns, type Runs, type RunsOptions } from '@toolwright/durable';
import { agUiHandler, type ChatOptions, type ChatUser } from '../../src/index';
import { Client } from './clients';
import type { AgUiGeneration } from '../../src/agUi/agUiEvents';

class OrderParams {
  @Param({ description: 'Number of the order.' })
  declare readonly id: string;
}

class RefundParams {
  @Param({ description: 'Number of the order.' })
  declare readonly id: string;
  @Param({ description: 'Amount in dollars.' })
  declare readonly amount: number;
}

/** A value of the session that the tests show. */
export class Ledger {
  constructor(readonly refunds: readonly string[] = []) {}
}

type Handler = (request: Request) => Promise<Response>;

/** A shop whose chats the clients read. */
export interface Shop {
  readonly runs: Runs;
  readonly handler: Handler;
  /** The refunds that were made. */
  readonly refunds: readonly string[];
  open(generation: AgUiGeneration, user?: string): Client;
  /** Sends a request of the user ann to a route. */
  fetch(path: string, body?: unknown): Promise<Response>;
}

const opened: Runs[] = [];

/** Ends the work of all shops. */
export async function closeShops(): Promise<void> {
  await Promise.all(opened.splice(0).map((runs) => runs.drain(0)));
}

/** @param script of the model */
export async function openShop(
  script: ConstructorParameters<typeof ScriptedModel>[0] | ModelAdapter,
  options: Partial<ChatOptions> & { readonly runs?: Partial<RunsOptions> } = {},
): Promise<Shop> {
  const refunds: string[] = [];
  const getOrder = defineTool({
    name: 'get_order',
    description: 'Reads an order.',
    hints: { readOnly: true },
    params: OrderParams,
    handler: ({ id }, context) => {
      context.reportProgress({ fraction: 0.5, message: 'Looking it up.' });
      if (id === 'missing') throw new RangeError('There is no such order.');
      return `The order ${id} is sent.`;
    },
  });
  const refund = defineTool({
    name: 'refund',
    description: 'Refunds an amount.',
    requiresApproval: true,
    params: RefundParams,
    handler: ({ id, amount }, { session }) => {
      refunds.push(`${id} ${String(amount)}`);
      session.slice(Ledger).seed(new Ledger([...(session.slice(Ledger).latest()?.refunds ?? []), id]));
      return `Refunded ${String(amount)} for ${id}.`;
    },
  });
  // Its call can be rehearsed, because it acts on the session alone.
  const credit = defineTool({
    name: 'credit',
    description: 'Notes a credit.',
    requiresApproval: true,
    hints: { openWorld: false },
    params: RefundParams,
    handler: ({ id }, { session }) => {
      session.slice(Ledger).seed(new Ledger([id]));
      return `Noted ${id}.`;
    },
  });
  const note = defineTool({
    name: 'note',
    description: 'Notes an order.',
    params: RefundParams,
    handler: ({ id }, { session }) => {
      session.slice(Ledger).seed(new Ledger([id]));
    },
  });
  const tools = [getOrder, refund, credit, note];
  const orders = defineSection({ key: 'orders', title: 'Orders', template: 'Be kind.', tools });
  const returns = defineSection({
    key: 'returns',
    title: 'Returns',
    template: 'Returns are free for thirty days.',
    summary: 'How returns work.',
    visibility: 'summary',
  });
  const desk = definePrompt({ ns: 'shop', key: 'desk', sections: [orders, returns] });
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const app = await createApplication({
    prompts: [desk],
    approver: { approve: () => ({ kind: 'later' }) },
    keys: ['k'.repeat(32)],
    logger: quiet,
  });
  const adapter = Array.isArray(script) ? new ScriptedModel(script) : (script as ModelAdapter);
  const prepare = () => ({ prompt: desk, adapter, slices: [Ledger] }) as never;
  const { runs: runOptions, ...chatOptions } = options;
  const runs = await openRuns(app, { store: new MemoryRuns(), prepare, ...runOptions });
  opened.push(runs);
  const authenticate = (request: Request): ChatUser => ({ id: request.headers.get('x-user') ?? 'ann' });
  const handler = agUiHandler(runs, { authenticate, ...chatOptions });
  const send = (request: Request, user: string): Promise<Response> => {
    request.headers.set('x-user', user);
    return handler(request);
  };
  return {
    runs,
    handler,
    refunds,
    open: (generation, user = 'ann') => new Client(generation, (request) => send(request, user)),
    fetch: (path, body) => {
      const url = `http://127.0.0.1/api/chat${path}`;
      if (body === undefined) return send(new Request(url), 'ann');
      const headers = { 'content-type': 'application/json' };
      return send(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }), 'ann');
    },
  };
}

/** A step of a script: one call. */
export function callOf(name: string, args: unknown) {
  return { toolCalls: [{ name, arguments: args }] } as never;
}

/** Reads the events of a response. */
export async function readEvents(response: Response): Promise<readonly { readonly type: string }[]> {
  const text = await response.text();
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: {'))
    .map((frame) => JSON.parse(frame.slice(6)) as { readonly type: string });
}
