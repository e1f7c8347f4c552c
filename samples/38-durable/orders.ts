// The setup that every process shares: the same application and the same `prepare`, over the same store.
import { bind, createApplication, type Logger } from 'toolwright';
import { type DurableStore, openRuns, type RunEngine, type Runs } from '@toolwright/durable';
import { Desk, Milestone } from './desk.js';
import { modelFor } from './model.js';
import { OutsideClient } from './OutsideClient.js';

/** Keys that sign the questions; the same in every process. In production they come from your secrets. */
const KEYS = [process.env['ORDERS_KEY'] ?? 'a key for this sample, which is not a secret'];

/** Prints only errors: takeovers are normal here. */
const logger: Logger = { debug: quiet, info: quiet, warn: quiet, error: console.error };

function quiet(): void {}

export interface Place {
  /** The store that keeps the runs. */
  readonly store: DurableStore;
  /** Decides which process works on a run; without an engine, the processes themselves do. */
  readonly engine?: RunEngine;
  /** The address of the services outside. */
  readonly url: string;
  /** Milliseconds between two reads of other processes' entries. */
  readonly pollMs: number;
}

/** An order to handle. */
export interface Order {
  readonly [key: string]: string;
  readonly orderId: string;
}

/**
 * Opens the runs of the shop.
 *
 * @param work false in a process that only starts runs and answers questions
 */
export async function openOrders({ store, engine, url, pollMs }: Place, work: boolean): Promise<Runs<Order>> {
  const app = await createApplication({
    prompts: [Desk],
    resources: [bind(OutsideClient, { value: new OutsideClient(url) })],
    logger,
    keys: KEYS,
    // A supervisor answers later.
    approver: { approve: () => ({ kind: 'later' }) },
  });
  return openRuns<Order>(app, {
    store,
    engine,
    pollMs,
    work,
    prepare: ({ input }) => ({ prompt: Desk, adapter: modelFor(input.orderId), slices: [Milestone] }),
    // The services know the keys of calls, so that a call may be repeated although it does not say so.
    onUnknown: 'repeat',
    // Workers are killed again and again here; that does not mean that their runs are at fault.
    maxTakeovers: 1_000,
  });
}
