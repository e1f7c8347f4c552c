import { type Application, type JsonValue, PromptError } from 'toolwright';
import { describeValue, formatMessage, isObject } from 'toolwright/internal/light';
import { getApplicationParts, requireOptions, requireValue } from 'toolwright/internal';
import { DEFAULT_POLL_MS } from '../limits.js';
import { ActiveRuns } from './ActiveRuns.js';
import { Carrier } from './Carrier.js';
import { Changes } from './Changes.js';
import { EmbeddedEngine } from './EmbeddedEngine.js';
import { runsForms } from './optionForms.js';
import { makeOwnerName } from './owners.js';
import { createNoKeysError } from './runErrors.js';
import { RepliesEngine } from './RepliesEngine.js';
import { Responses } from './Responses.js';
import { EventStreams } from './EventStreams.js';
import { LiveRuns } from './LiveRuns.js';
import { Runs } from './Runs.js';
import type { RunsOptions } from './RunsOptions.js';
import { PromptEvaluator } from './PromptEvaluator.js';

/**
 * Opens the durable runs of a store. Without `engine`, this process works on them, beginning with the open runs of earlier processes.
 *
 * @throws PromptError E411 for a store without records of runs, E413 for an unknown option or an invalid value; PromptEvaluationError
 * E709, and E747 for `engine` or `work: false` in an application without keys, because other processes work on its runs
 * @example
 * const runs = await openRuns(app, {
 *   store: new SqliteRuns('./runs.db'),
 *   prepare: ({ input }) => ({ prompt: Desk, adapter: modelFor(input.tenant), slices: [Plan] }),
 * });
 */
export async function openRuns<I extends JsonValue = JsonValue>(
  app: Application,
  options: RunsOptions<I>,
): Promise<Runs<I>> {
  const given = options as unknown as RunsOptions;
  requireOptions('openRuns', given, runsForms);
  requireStore(given.store);
  requireValue('openRuns', 'prepare', given.prepare, runsForms.prepare);
  const { store, traceparent, pollMs = DEFAULT_POLL_MS, concurrency } = given;
  const { logger, clock, redaction, seals } = getApplicationParts(app).services;
  const isShared = given.engine !== undefined || given.work === false;
  if (isShared && !seals.isSigning) throw createNoKeysError();
  const owner = makeOwnerName();
  const engine =
    given.engine === undefined
      ? new EmbeddedEngine({ store, logger, clock, owner, concurrency, pollMs })
      : new RepliesEngine(given.engine, store, pollMs);
  const changes = new Changes(pollMs, store.watch?.bind(store));
  const active = new ActiveRuns({ store, owner, pollMs });
  const responses = new Responses();
  const live = new LiveRuns();
  const work = new PromptEvaluator(app, given, live);
  const carrier = new Carrier({
    app,
    store,
    changes,
    engine,
    work,
    active,
    clock,
    logger,
    redaction,
    owner,
    settings: given,
    onEnd: (run, response) => {
      if (response !== undefined) responses.keep(run, response);
      changes.notify(run);
    },
  });
  const events = new EventStreams(work, redaction, changes, live);
  const life = { isWorking: false, draining: undefined };
  const parts = { app, store, engine, work, carrier, active, changes, responses, events, traceparent, life };
  const runs = new Runs<I>(parts);
  if ((given.work ?? given.engine === undefined) === true) await runs.work();
  return runs;
}

function requireStore(store: unknown): void {
  const { records } = (store ?? {}) as { readonly records?: unknown };
  if (isObject(records)) return;
  const details = { code: 'E411', place: 'openRuns' } as const;
  const problem = `expected a store that keeps records of runs as options.store, got ${describeValue(store)}`;
  const remedy = 'Pass new SqliteRuns(path), new PostgresRuns(pool), or a store of your own with records.';
  throw new PromptError(formatMessage(problem, { ...details, remedy }), { ...details, remedy });
}
