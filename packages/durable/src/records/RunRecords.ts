import type { JsonValue, Message } from 'toolwright';
import type {
  MemoryStore,
  QuestionReply,
  RunEntry,
  RunStore,
  SteeringMessage,
  WaitingMessage,
} from 'toolwright/conversations';
import type { Awaitable } from 'toolwright/types';
import type { ChatRecords } from './ChatRecords.js';

/**
 * The state of a run. `queued`: a worker may take it. `running`: a worker has taken it. `waiting`: it waits for a
 * reply, and no process holds it. `paused`: it waits for `resume`. The other states are final, and the log says more.
 */
export type RunStatus = 'queued' | 'running' | 'waiting' | 'paused' | 'answered' | 'failed' | 'cancelled';

/** The data of a new run. Plain JSON. */
export interface NewRun {
  readonly id: string;
  readonly conversation: string;
  /** The argument of `prepare`, in every process. */
  readonly input: JsonValue;
  readonly messages: readonly Message[];
  /** The `traceparent` of the trace that the run belongs to, or null. */
  readonly trace: string | null;
}

/** The record of a run in its store. The log of its conversation says what happened in it. */
export interface RunRecord extends NewRun {
  /** The tenant that owns the run, or null. Ids of runs and conversations are unique for each tenant. */
  readonly tenant: string | null;
  /** Position among all runs of the store: greater than the `order` of every earlier run. */
  readonly order: number;
  readonly status: RunStatus;
  /** The worker that took the run last, or null. */
  readonly owner: string | null;
  /** How often a worker took the run over from a worker that ended, without progress since. */
  readonly takeovers: number;
  /** Number of log entries when the run was last taken. */
  readonly progress: number;
  /** The fingerprint of its prompt when it was first taken; null before. */
  readonly fingerprint: string | null;
  /** Why the run has no answer, or null. Of a running run, the reason for which its worker has to cancel it. */
  readonly problem: string | null;
  /**
   * When a waiting run is given up, in milliseconds since 1970; null if never. For a queued run that got its reply
   * through `store.reply`, which knows no engine: the time of the reply, until a worker has enqueued the run.
   */
  readonly expiresAt: number | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970 of the last change of this record. */
  readonly changedAt: number;
}

/** The fields of a record that may change. */
export type RecordChanges = Partial<
  Pick<RunRecord, 'status' | 'owner' | 'takeovers' | 'progress' | 'fingerprint' | 'problem' | 'expiresAt'>
>;

/** The state in which a record must be so that it is changed. */
export interface RecordCondition {
  /** The record has one of these states. */
  readonly status: readonly RunStatus[];
  /** The record has exactly this owner; any owner if left out. */
  readonly owner?: string | null | undefined;
}

/** Selects runs that match all given fields. */
export interface RunFilter {
  readonly status?: readonly RunStatus[] | undefined;
  readonly conversation?: string | undefined;
  /** Only runs that are given up before this time, in milliseconds since 1970. */
  readonly expiresBefore?: number | undefined;
  /** Only runs with a greater `order`, to read the next page. */
  readonly after?: number | undefined;
  /** Maximum number of runs; 100 by default. */
  readonly limit?: number | undefined;
}

/** Selects questions that match all given fields. */
export interface QuestionFilter {
  /** The id of the question. */
  readonly question?: string | undefined;
  readonly run?: string | undefined;
  readonly conversation?: string | undefined;
  /** Maximum number of questions; 100 by default. */
  readonly limit?: number | undefined;
}

/** Limits a view of all tenants to one of them; null selects runs without a tenant. */
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
 * Called within the transaction of a change, to put the run into a queue of the same database.
 *
 * @param tx the transaction, as a client of the database; undefined in a store without transactions
 */
export type WithinChange = (tx: unknown) => Awaitable<void>;

/** Port to the run records of one tenant: which runs exist, and how far each has come. */
export interface RunRecords {
  /** True if an append that ends runs also ends their records. Otherwise the writer of the log ends them. */
  readonly followLog?: boolean | undefined;
  /**
   * Creates the record of a run as `queued`, after all earlier runs.
   *
   * @returns `exists` if the store has a run of this id, which is not changed
   * @throws PromptEvaluationError E709 if it cannot be written
   */
  create(run: NewRun, within?: WithinChange): Promise<'created' | 'exists'>;
  /** Returns the record of a run, or undefined. */
  get(id: string): Promise<RunRecord | undefined>;
  /**
   * Changes a record if it is in the given state.
   *
   * @returns the record after the change; undefined if it is in another state or does not exist
   * @throws PromptEvaluationError E709 if it cannot be written
   */
  change(
    id: string,
    when: RecordCondition,
    changes: RecordChanges,
    within?: WithinChange,
  ): Promise<RunRecord | undefined>;
  /** Returns the first run of a conversation that has not ended, or undefined. */
  head(conversation: string): Promise<RunRecord | undefined>;
  /** Lists records by their order. */
  list(filter?: RunFilter): Promise<readonly RunRecord[]>;
  /** Lists open questions of waiting runs, the oldest first. */
  questions(filter?: QuestionFilter): Promise<readonly OpenQuestion[]>;
  /**
   * Answers a question of a run. If the run waits, it becomes `queued` with `expiresAt` null, and the caller enqueues
   * it.
   *
   * @param question the id of the question
   * @returns `late` if it was answered before, or the call or its run has ended
   * @throws PromptEvaluationError E709 if it was never asked, E735 if the question does not take this kind of reply
   */
  reply(run: RunRecord, question: string, reply: QuestionReply, within?: WithinChange): Promise<'taken' | 'late'>;
  /**
   * Deletes the records of runs that ended before a time, and conversations that have no other runs. Returns the number
   * of deleted runs.
   */
  prune(before: Date): Promise<number>;
}

/** The identity, owner and state of a run: everything that an engine needs. */
export type RecordOutline = Pick<RunRecord, 'id' | 'tenant' | 'conversation' | 'order' | 'status' | 'owner'>;

/** An operator's view of the runs of all tenants. */
export interface RunsOverview {
  /** Lists records by their order. */
  list(filter?: RunFilter & TenantFilter): Promise<readonly RunRecord[]>;
  /** Lists runs by their order without reading their texts, so that a damaged record does not hide the others. */
  outline(filter?: RunFilter & TenantFilter): Promise<readonly RecordOutline[]>;
  /** Lists open questions of waiting runs, the oldest first. */
  questions(filter?: QuestionFilter & TenantFilter): Promise<readonly OpenQuestion[]>;
  /**
   * Deletes the records of runs that ended before a time, and conversations that have no other runs. Returns the number
   * of deleted runs.
   */
  prune(before: Date): Promise<number>;
}

/** A store of the conversations and runs of one tenant. */
export interface DurableStore extends RunStore, MemoryStore {
  /** Null for the conversations and runs without a tenant. */
  readonly tenant: string | null;
  readonly records: RunRecords;
  /** The chats of the tenant. */
  readonly chats: ChatRecords;
  readonly acrossTenants: RunsOverview;
  /**
   * Returns the store of another tenant in the same storage.
   *
   * @throws PromptEvaluationError E709 for an empty id
   */
  forTenant(tenant: string | null): DurableStore;
  /**
   * Keeps a message for the model until the run hears it, from any process. A run cannot be answered while a message waits for it. If it
   * ends in another way, the next run of the conversation begins with the message.
   *
   * @returns `late` if the run has ended or does not exist, or a message of this id has come before
   * @throws PromptEvaluationError E709 for anything but ids, or if it cannot be written
   */
  steer(run: Pick<RunRecord, 'id' | 'conversation'>, message: SteeringMessage): Promise<'taken' | 'late'>;
  inbox(conversation: string, run: string): Promise<readonly WaitingMessage[]>;
  /** Deletes the state of a shared session, if there is one. The session can be begun again. */
  deleteSession(name: string): Promise<void>;
  /**
   * Calls back soon after another process has written. A store without this method is polled every `pollMs` of
   * `openRuns`.
   *
   * @returns a function that stops watching
   */
  watch?(onWrite: () => void): () => void;
}
