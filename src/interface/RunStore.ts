import type { AppendTransaction } from './OutcomeRecord.js';
import type { QuestionReply, RunEntry, SessionDelta } from './RunEntry.js';

/** A change of a session that several conversations share; versions count from 1, without gaps. */
export interface SharedChange {
  readonly version: number;
  readonly delta: SessionDelta;
}

/** The place of an append: entries are refused unless both are as the store has them. */
export interface LogPosition {
  readonly conversation: string;
  /** As `open` returned it: greater for each writer, so that an earlier one can write no more. Its first value may be any. */
  readonly epoch: number;
  /** The number of entries before these, replies included. */
  readonly after: number;
  /** Changes of a shared session: kept with the entries, or not at all. */
  readonly session?: { readonly name: string; readonly changes: readonly SharedChange[] } | undefined;
  /** True to append nothing if messages wait for runs of the conversation: a run must not end before it has heard them. */
  readonly unlessSteered?: boolean | undefined;
  /** Called if messages wait after the append, or instead of it with `unlessSteered`. */
  readonly onSteered?: (() => void) | undefined;
}

/** A log that was opened for writing. */
export type OpenLog = Pick<LogPosition, 'epoch'> & {
  readonly entries: readonly RunEntry[];
  /** True if messages wait for runs of the conversation; see `RunStore.inbox`. */
  readonly isSteered?: boolean | undefined;
};

/** A message of a person to the model while a run goes on. */
export type SteeringMessage = Pick<RunEntry<'steering'>, 'id' | 'message'>;

/** A message that waits in a store, and the run that it was sent to. */
export type WaitingMessage = SteeringMessage & { readonly run: string };

/**
 * Port to the storage of the conversations of one tenant: for each an append-only log with one writer at a time
 * (docs/contract.md, 18). Entries hold arguments and results as they were sent, secrets included.
 */
export interface RunStore {
  /** The tenant of all its conversations; null or undefined without one. */
  readonly tenant?: string | null | undefined;
  /** The object that it works on, such as a pool, if resources may join its appends; see `OutcomeRecord`. */
  readonly database?: object | undefined;
  /**
   * Opens a log for writing, an empty one if there is none, and shuts out every earlier writer. A log that cannot be read is refused
   * before its epoch is raised, so that its writer goes on.
   */
  open(conversation: string): Promise<OpenLog>;
  /**
   * Appends entries, all or none; resolves once they would survive the process. The same entries at the same position again are
   * no error, since an acknowledgement may have been lost. A run that parks appends its questions last, with everything else
   * that it has: a reply that comes at once is an entry too, and would make the position of a later append wrong. A store with an inbox
   * removes the messages that the entries name, as `steering` and in `steered` of a `run`, in the same write.
   *
   * @param within an open transaction on `database`, only given to stores that have one: its writes and the entries are kept
   * together, or neither. The store ends it in any case, and never appends the entries without it
   * @throws PromptEvaluationError E709 if another writer opened the log since, other entries stand there, or it cannot be written;
   * E755 if the shared session has not the version before its changes
   */
  append(position: LogPosition, entries: readonly RunEntry[], within?: AppendTransaction): Promise<void>;
  /**
   * Answers a question of a parked run, from any process: appends the reply without becoming the writer. A store with records queues the
   * durable run that waits for the reply in the same write, with the time of the reply as its `expiresAt`.
   *
   * @param question the id of the question
   * @returns `late` if it was answered before, its call or its run has ended, or the time of the run is over
   * @throws PromptEvaluationError E709 if it was never asked, E735 for a reply of a kind that the question does not take
   */
  reply(conversation: string, question: string, reply: QuestionReply): Promise<'taken' | 'late'>;
  /**
   * Reads the messages that wait for a run, in the order in which they were sent: its own, and those to runs that have ended. They stay
   * until an entry names them. Left out by a store that takes none.
   */
  inbox?(conversation: string, run: string): Promise<readonly WaitingMessage[]>;
  /** Reads the entries after the first `after` ones, without becoming the writer; empty if there is no such log. */
  entries(conversation: string, after?: number): Promise<readonly RunEntry[]>;
  /** The ids of all conversations, in no particular order. */
  list(): Promise<readonly string[]>;
  /**
   * Deletes a conversation: its log, if there is one, and the records of its runs, also of runs that never began.
   *
   * @throws PromptEvaluationError E746 if one of its runs has not ended
   */
  delete(conversation: string): Promise<void>;
}
