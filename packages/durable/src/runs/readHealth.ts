import type { Application } from 'toolwright';
import { messageOf } from 'toolwright/internal/light';
import { getApplicationParts } from 'toolwright/internal';
import type { DurableStore } from '../records/RunRecords.js';
import type { RunEngine } from './RunEngine.js';
import type { ActiveRuns } from './ActiveRuns.js';
import type { Carrier } from './Carrier.js';
import type { Changes } from './Changes.js';
import type { Responses } from './Responses.js';
import type { EventStreams } from './EventStreams.js';
import type { RunsOptions } from './RunsOptions.js';
import type { PromptEvaluator } from './PromptEvaluator.js';

/** The parts of `Runs`, assembled by `openRuns`. */
export interface DurableServices {
  readonly app: Application;
  /** The store of one tenant. */
  readonly store: DurableStore;
  readonly engine: RunEngine;
  readonly work: PromptEvaluator;
  readonly carrier: Carrier;
  readonly active: ActiveRuns;
  readonly changes: Changes;
  readonly responses: Responses;
  readonly events: EventStreams;
  readonly traceparent: RunsOptions['traceparent'];
  readonly life: WorkerState;
}

/** The state of this process's worker, which is shared by the runs of all tenants. */
interface WorkerState {
  isWorking: boolean;
  draining: Promise<void> | undefined;
}

/** The health of durable runs in this process. */
export interface DurableHealth {
  /** True if store and engine can be reached, and the worker, if any, takes runs. */
  readonly ok: boolean;
  /** The problems; empty without any. */
  readonly problems: readonly string[];
  /** The number of runs that this process works on. */
  readonly active: number;
  readonly isWorking: boolean;
  readonly isDraining: boolean;
  /** Milliseconds that the store took to answer. */
  readonly storeMs: number;
}

/** Checks store and engine. Never rejects. */
export async function readHealth(parts: DurableServices): Promise<DurableHealth> {
  const { engine, active, carrier, app, store } = parts;
  const { isWorking } = parts.life;
  const { clock } = getApplicationParts(app).services;
  const problems: string[] = [];
  const start = clock.monotonic();
  await store.acrossTenants
    .outline({ limit: 1 })
    .catch((error: unknown) => problems.push(`store: ${messageOf(error)}`));
  const storeMs = clock.monotonic() - start;
  const state = await engine.health?.().catch((error: unknown) => ({ ok: false, problem: messageOf(error) }));
  if (state?.ok === false) problems.push(`engine: ${state.problem ?? 'it does not work'}`);
  const { isDraining } = carrier;
  const ok = problems.length === 0 && !isDraining;
  return { ok, problems, storeMs, isDraining, isWorking, active: active.size };
}
