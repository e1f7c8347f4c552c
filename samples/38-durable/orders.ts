// What every process has of the orders: the same application and the same `prepare`, over the same store.
import { bind, createApplication, type Logger } from 'toolwright';
import { type DurableStore, openRuns, type RunEngine, type Runs } from '@toolwright/durable';
import { Desk, Milestone } from './desk.js';
import { modelFor } from './model.js';
import { OutsideClient } from './OutsideClient.js';

/** Sign the questions, and are the same in every process. Yours come from where your secrets are. */
const KEYS = [process.env['ORDERS_KEY'] ?? 'a key for this sample, which is no secret'];

/** Takeovers are no news here. */
const logger: Logger = { debug: quiet, info: quiet, warn: quiet, error: console.error };

function quiet(): void {}

export interface Place {
  /** Where the runs are kept. */
  readonly store: DurableStore;
  /** Who decides which process works on a run; the processes themselves without one. */
  readonly engine?: RunEngine;
  /** Where the services outside are. */
  readonly url: string;
  /** Milliseconds between looks at what other processes have written. */
  readonly pollMs: number;
}

/** An order to handle. */
export interface Order {
  readonly [key: string]: string;
  readonly orderId: string;
}

/** @param work false in a process that only starts runs and answers questions */
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
    ...{ store, engine, pollMs, work },
    prepare: ({ input }) => ({ prompt: Desk, adapter: modelFor(input.orderId), slices: [Milestone] }),
    // The services know the keys of calls, so that a call may be repeated although it does not say so.
    onUnknown: 'repeat',
    // Workers are killed again and again here, which is no fault of the runs that they have.
    maxTakeovers: 1_000,
  });
}
