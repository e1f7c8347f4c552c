import type { Awaitable, JsonValue } from '../common/types.js';
import type { Message } from '../value/Message.js';
import type { QuestionReply, RunEntry } from './RunEntry.js';
import type { RunStore, SharedChange } from './RunStore.js';

/**
 * Where a run is. `queued`: a worker may take it. `running`: one has. `waiting`: for a reply; no process holds it. `paused`: until
 * `resume`. The others are ends, and the log says more.
 */
export type RunStatus = 'queued' | 'running' | 'waiting' | 'paused' | 'answered' | 'failed' | 'cancelled';

/** What is asked for when a run starts. Plain JSON. */
export interface NewRun {
  readonly id: string;
  readonly conversation: string;
  /** What `prepare` gets in every process. */
  readonly input: JsonValue;
  readonly messages: readonly Message[];
  /** The `traceparent` of the trace that it belongs to; null without. */
  readonly trace: string | null;
}

/** A run as its store has it. The log of its conversation says what happened in it. */
export interface RunRecord extends NewRun {
  /** Whose data it is; null without a tenant. Ids of runs and conversations belong to one tenant. */
  readonly tenant: string | null;
  /** Places it among all runs of the store: greater than that of every run that was created before. */
  readonly order: number;
  readonly status: RunStatus;
  /** The worker that took it last; null if none did. */
  readonly owner: string | null;
  /** How often a worker took it over from one that ended, without progress since. */
  readonly takeovers: number;
  /** The entries of its log when it was taken last. */
  readonly progress: number;
  /** The fingerprint of its prompt when it was first taken; null before. */
  readonly fingerprint: string | null;
  /** Why it has no answer; null without reason. */
  readonly problem: string | null;
  /**
   * When a waiting run is given up, in milliseconds since 1970; null if never. For a queued run whose reply came through `store.reply`,
   * which knows no engine: when that was, until a worker has enqueued it.
   */
  readonly expiresAt: number | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970 of the last change of this record. */
  readonly changedAt: number;
}

/** What of a record may change. */
export type RunChanges = Partial<
  Pick<RunRecord, 'status' | 'owner' | 'takeovers' | 'progress' | 'fingerprint' | 'problem' | 'expiresAt'>
>;

/** The state in which a record must be to be changed. */
export interface RunCondition {
  /** One of these. */
  readonly status: readonly RunStatus[];
  /** Exactly this one; any when left out. */
  readonly owner?: string | null | undefined;
}

/** Which runs are listed: those that fit all that is given. */
export interface RunFilter {
  readonly status?: readonly RunStatus[] | undefined;
  readonly conversation?: string | undefined;
  /** Only runs that are given up before this time, in milliseconds since 1970. */
  readonly expiresBefore?: number | undefined;
  /** Only runs with a greater `order`, to read the next page. */
  readonly after?: number | undefined;
  /** The most runs; 100 when left out. */
  readonly limit?: number | undefined;
}

/** Which questions are listed: those that fit all that is given. */
export interface QuestionFilter {
  readonly run?: string | undefined;
  readonly conversation?: string | undefined;
  /** The most questions; 100 when left out. */
  readonly limit?: number | undefined;
}

/** Limits a view of all tenants to one of them; null for runs without a tenant. */
export interface TenantFilter {
  readonly tenant?: string | null | undefined;
}

/** A question that waits for a reply. */
export interface OpenQuestion extends Omit<RunEntry<'question'>, 'kind' | 'version'> {
  readonly run: string;
  readonly conversation: string;
  readonly tenant: string | null;
}

/**
 * Is called within the transaction of a change, to put the run into a queue of the same database.
 *
 * @param tx the transaction, as a client of the database; undefined in a store without transactions
 */
export type WithinChange = (tx: unknown) => Awaitable<void>;

/** Port to the records of the runs of one tenant: which there are, and how far each is. */
export interface RunRecords {
  /** True if an append that ends runs ends their records as well; otherwise the writer of the log ends them. */
  readonly followLog?: boolean | undefined;
  /**
   * Creates the record of a run, `queued`, after all earlier ones.
   *
   * @returns `exists` if there is one of this id, which is left alone
   * @throws PromptEvaluationError E709 if it cannot be written
   */
  create(run: NewRun, within?: WithinChange): Promise<'created' | 'exists'>;
  /** Returns the record of a run; undefined if there is none. */
  get(id: string): Promise<RunRecord | undefined>;
  /**
   * Changes a record if it is in the given state.
   *
   * @returns the record after the change; undefined if it is in another state, or there is none
   * @throws PromptEvaluationError E709 if it cannot be written
   */
  change(id: string, when: RunCondition, changes: RunChanges, within?: WithinChange): Promise<RunRecord | undefined>;
  /** Returns the first run of a conversation that has not ended; undefined if all have. */
  head(conversation: string): Promise<RunRecord | undefined>;
  /** Lists records by their order. */
  list(filter?: RunFilter): Promise<readonly RunRecord[]>;
  /** Lists open questions of waiting runs, the oldest first. */
  questions(filter?: QuestionFilter): Promise<readonly OpenQuestion[]>;
  /**
   * Answers a question of a run, and makes the run `queued` if it waits, with `expiresAt` null: the caller enqueues it.
   *
   * @param question its id
   * @returns `late` if it was answered before, or the call or its run has ended
   * @throws PromptEvaluationError E709 if it was never asked, E735 for a reply of a kind that the question does not take
   */
  reply(run: RunRecord, question: string, reply: QuestionReply, within?: WithinChange): Promise<'taken' | 'late'>;
  /** Deletes the records of runs that ended before a time, and conversations without others; returns how many runs. */
  prune(before: Date): Promise<number>;
}

/** Which run it is, and whose: all that an engine has to know. */
export type RunOutline = Pick<RunRecord, 'id' | 'tenant' | 'conversation' | 'order' | 'status' | 'owner'>;

/** An operator's view of the runs of all tenants. */
export interface RunsOverview {
  /** Lists records by their order. */
  list(filter?: RunFilter & TenantFilter): Promise<readonly RunRecord[]>;
  /** Lists runs by their order without reading their texts: a damaged record holds up no other one. */
  outline(filter?: RunFilter & TenantFilter): Promise<readonly RunOutline[]>;
  /** Lists open questions of waiting runs, the oldest first. */
  questions(filter?: QuestionFilter & TenantFilter): Promise<readonly OpenQuestion[]>;
  /** Deletes the records of runs that ended before a time, and conversations without others; returns how many runs. */
  prune(before: Date): Promise<number>;
}

/** A store of the conversations and runs of one tenant. */
export interface DurableStore extends RunStore {
  /** Null for the conversations and runs that belong to no tenant. */
  readonly tenant: string | null;
  readonly records: RunRecords;
  readonly acrossTenants: RunsOverview;
  /**
   * Returns the store of another tenant in the same storage.
   *
   * @throws PromptEvaluationError E709 for an empty id
   */
  forTenant(tenant: string | null): DurableStore;
  /** Reads the changes of a shared session after a version, in order; empty if there are none. */
  sessionChanges(name: string, after?: number): Promise<readonly SharedChange[]>;
  /** Deletes the state of a shared session; does nothing if there is none. */
  deleteSession(name: string): Promise<void>;
  /**
   * Calls back soon after another process has written. A store without it is looked at every `pollMs` of `openRuns`.
   *
   * @returns a function that ends this
   */
  watch?(onWrite: () => void): () => void;
}
