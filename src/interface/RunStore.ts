import type { JsonSchema, JsonValue } from '../common/types.js';
import type { Message } from '../value/Message.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { OutcomeKind } from '../value/ToolOutcome.js';
import type { AppendTransaction } from './OutcomeRecord.js';
import type { ModelResponse } from './ModelAdapter.js';

/** A tool as it was offered when a conversation began. */
export interface RecordedTool {
  readonly name: string;
  readonly description: string;
  /** The schema of its arguments in draft 2020-12. */
  readonly schema: JsonSchema;
  /** Example inputs, as a model would write them. */
  readonly examples?: readonly Readonly<Record<string, JsonValue>>[] | undefined;
  /** The path of the section that offers it; empty for a tool of no section. */
  readonly section: string;
}

/** A tool of a conversation as it is written for its provider. */
export interface LoweredForm {
  /** The schema of its arguments; left out if it equals the schema of the recorded tool. */
  readonly parameters?: JsonSchema | undefined;
  readonly strict: boolean;
}

/** The tools of a conversation as they were written for its provider: by dialect, such as `openai strict`, and by name. */
export type LoweredTools = Readonly<Record<string, Readonly<Record<string, LoweredForm>>>>;

/** What a conversation began with: every request of it repeats this. */
export interface ConversationHead {
  /** The system message. */
  readonly text: string;
  readonly offered: readonly RecordedTool[];
  /** The tools of sections that were closed. */
  readonly closed: readonly RecordedTool[];
  /** Describes the form of the answers, at the end of the system message; left out if any text will do. */
  readonly output?: string | undefined;
  /** Describes the form of the answers that every request sends in the provider's own field, if reasoning is bound to it. */
  readonly form?: string | undefined;
  /** Hash over text, tools and output of the prompt's rendering. */
  readonly fingerprint: string;
  /** A hash of the text of each section, by path, to name those whose text would be another one now. */
  readonly sections: Readonly<Record<string, string>>;
}

/** Changes of a session: what was appended to a slice, or all of its values, by the slice's name in JSON. */
export interface SessionDelta {
  readonly appended?: Readonly<Record<string, readonly JsonValue[]>> | undefined;
  readonly replaced?: Readonly<Record<string, readonly JsonValue[]>> | undefined;
}

/** A change of a session that several conversations share; versions count from 1, without gaps. */
export interface SharedChange {
  readonly version: number;
  readonly delta: SessionDelta;
}

/** The first entry of a log. */
export interface ConversationBegan extends ConversationHead {
  readonly kind: 'conversation';
  readonly id: string;
  /** `ns/key`. */
  readonly prompt: string;
}

/**
 * The conversation goes on with a new head, and messages in place of all earlier ones. `history`: with a shorter history;
 * `rendering`: with another form of the answers; `model`: with a model that gets other tools.
 */
export interface SegmentBegan extends ConversationHead {
  readonly kind: 'segment';
  /** The turn of the run whose request is the first one of the segment. */
  readonly turn: number;
  readonly reason: 'history' | 'rendering' | 'model';
  readonly messages: readonly Message[];
  /** The number of answers among the messages that lost their bound thinking or reasoning. */
  readonly unbound?: number | undefined;
}

/** Requests from here on go to this model. */
export interface ModelChosen {
  readonly kind: 'model';
  /** The name of the adapter. */
  readonly adapter: string;
  /** What `ModelAdapter.means` returned. */
  readonly means: JsonValue;
  /** A hash over adapter and means; left out without means. */
  readonly digest?: string | undefined;
}

/** A run began: someone wrote to the model. */
export interface RunBegan {
  readonly kind: 'run';
  readonly run: string;
  /** The messages that it began with, after everything before. */
  readonly messages: readonly Message[];
  /** The form of the answers that its messages describe, where it is another one; null if any text will do from here on. */
  readonly output?: string | null | undefined;
  /** How the host changed the session since the run before. */
  readonly session?: SessionDelta | undefined;
  /** The name of the session that the run shares with other conversations, which has the state in place of this log. */
  readonly sharedSession?: string | undefined;
}

/** The model answered a request. */
export interface ModelAnswered extends Pick<ModelResponse, 'text' | 'toolCalls' | 'finishReason' | 'usage' | 'native'> {
  readonly kind: 'answer';
  readonly turn: number;
  /** A hash over the answer, for one with native content: the provider takes that back only as it was. */
  readonly digest?: string | undefined;
  /** Digests of what was sent, to see in another process if a later request begins with it. */
  readonly sent?: SentDigest | undefined;
  /** The tools as they were written for the request, in the dialects that no answer before has. */
  readonly lowered?: LoweredTools | undefined;
}

/** Digests of the parts of a request, each over its entries in order; `tools` and `system` only where the answer before has others. */
export interface SentDigest {
  readonly tools?: string | undefined;
  readonly system?: string | undefined;
  readonly messages: string;
  /** The number of messages. */
  readonly count: number;
}

/** A call is about to be run whose effects outside cannot be repeated safely. Safe before its handler starts. */
export interface CallBegun {
  readonly kind: 'begun';
  /** Turn and position of the call, e.g. `2.1`; positions count from 0. */
  readonly call: string;
  readonly name: string;
}

/** A call ended: it is not repeated. */
export interface CallEnded {
  readonly kind: 'outcome';
  readonly call: string;
  readonly name: string;
  readonly outcome: OutcomeKind;
  /** What the model reads, with all feedback. */
  readonly message: Extract<Message, { readonly role: 'tool' }>;
  /** The indexes of the tool's feedback providers that spoke. */
  readonly spoke?: readonly number[] | undefined;
  /** The number of sections that it opened. */
  readonly opened?: number | undefined;
  /** What it changed in the session; left out if nothing. */
  readonly session?: SessionDelta | undefined;
}

/** The completion checkers judged an answer. */
export interface AnswerJudged {
  readonly kind: 'verdict';
  readonly turn: number;
  readonly complete: boolean;
  /** The feedback of the checker that refused; empty if none did. */
  readonly feedback: string;
}

/** A message of the run itself to the model, after a turn. */
export interface NoteAdded {
  readonly kind: 'note';
  readonly turn: number;
  /** `limits`: little is left; `answer`: it could not be read; `verdict`: a checker refuses it. */
  readonly about: 'limits' | 'answer' | 'verdict';
  readonly message: Extract<Message, { readonly role: 'user' }>;
}

/** A call waits for an answer from outside, and the run is parked. */
export interface QuestionAsked {
  readonly kind: 'question';
  /** Names this question and no other one, ever: replies name it. */
  readonly id: string;
  readonly call: string;
  readonly name: string;
  readonly arguments: ToolCall['arguments'];
  /** `approval`: may it run? `unknown`: it began in a process that ended; what became of it? */
  readonly about: 'approval' | 'unknown';
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  /** For an approval, which holds for these alone: seals arguments, tool, prompt and tag, conversation, tenant and principal. */
  readonly shown?: string | undefined;
}

/** The answer to a question: the first one counts. */
export type QuestionReply =
  /** For `approval` alone: the call may run. */
  | {
      readonly kind: 'approved';
      readonly by?: string | undefined;
      /** Of `runs.preview`: the approval holds for what was shown there. */
      readonly seen?: string | undefined;
    }
  | { readonly kind: 'denied'; readonly reason: string; readonly by?: string | undefined }
  /** For `unknown` alone: run it again, or take the text as its outcome. */
  | { readonly kind: 'repeat'; readonly by?: string | undefined }
  | { readonly kind: 'outcome'; readonly text: string; readonly by?: string | undefined };

/** A question was answered. */
export interface QuestionAnswered {
  readonly kind: 'reply';
  /** The id of the question. */
  readonly question: string;
  readonly call: string;
  readonly reply: QuestionReply;
}

/** A run ended, and its conversation can go on. */
export interface RunEnded {
  readonly kind: 'end';
  readonly run: string;
  readonly how: 'answered' | 'failed' | 'cancelled' | 'abandoned';
  /** Why, unless it was answered. */
  readonly problem?: string | undefined;
  /** The messages that answer its open calls. */
  readonly messages: readonly Message[];
  /** How the session changed since the last call. */
  readonly session?: SessionDelta | undefined;
}

/** What every entry has as it is stored. */
export interface StoredEntry {
  /** The number of its format; 1 when left out. */
  readonly version?: number | undefined;
}

/** One entry of the log of a conversation. Plain JSON. */
export type LogEntry = StoredEntry & EntryOfKind;

type EntryOfKind =
  | ConversationBegan
  | SegmentBegan
  | ModelChosen
  | RunBegan
  | ModelAnswered
  | CallBegun
  | CallEnded
  | AnswerJudged
  | NoteAdded
  | QuestionAsked
  | QuestionAnswered
  | RunEnded;

/** The place of an append: entries are refused unless both are as the store has them. */
export interface LogPosition {
  readonly conversation: string;
  /** As `open` returned it: greater for each writer, so that an earlier one can write no more. Its first value may be any. */
  readonly epoch: number;
  /** The number of entries before these, replies included. */
  readonly after: number;
  /** Changes of a shared session: kept with the entries, or not at all. */
  readonly session?: { readonly name: string; readonly changes: readonly SharedChange[] } | undefined;
}

/** A log that was opened for writing. */
export type OpenLog = Pick<LogPosition, 'epoch'> & { readonly entries: readonly LogEntry[] };

/**
 * Port to the storage of the conversations of one tenant: for each an append-only log with one writer at a time
 * (docs/contract.md, 18). Entries hold arguments and results as they were sent, secrets included.
 */
export interface RunStore {
  /** Whose conversations these are; null or undefined without a tenant. */
  readonly tenant?: string | null | undefined;
  /** What it works on, such as a pool, if resources may join its appends; see `OutcomeRecord`. */
  readonly database?: object | undefined;
  /**
   * Opens a log for writing, an empty one if there is none, and shuts out every earlier writer. A log that cannot be read is refused
   * before its epoch is raised, so that its writer goes on.
   */
  open(conversation: string): Promise<OpenLog>;
  /**
   * Appends entries, all or none; resolves once they would survive the process. The same entries at the same position again are
   * no error, since an acknowledgement may have been lost. A run that parks appends its questions last, with everything else
   * that it has: a reply that comes at once is an entry too, and would make the position of a later append wrong.
   *
   * @param within an open transaction on `database`, only given to stores that have one: what it has written and the entries are
   * kept together, or neither. The store ends it in any case, and never appends the entries without it
   * @throws PromptEvaluationError E709 if another writer opened the log since, other entries stand there, or it cannot be written;
   * E755 if the shared session has not the version before its changes
   */
  append(position: LogPosition, entries: readonly LogEntry[], within?: AppendTransaction): Promise<void>;
  /**
   * Answers a question of a parked run, from any process: appends the reply without becoming the writer. A store with records queues the
   * durable run that waits for the reply in the same write, with the time of the reply as its `expiresAt`.
   *
   * @param question the id of the question
   * @returns `late` if it was answered before, its call or its run has ended, or the time of the run is over
   * @throws PromptEvaluationError E709 if it was never asked, E735 for a reply of a kind that the question does not take
   */
  reply(conversation: string, question: string, reply: QuestionReply): Promise<'taken' | 'late'>;
  /** Reads the entries after the first `after` ones, without becoming the writer; empty if there is no such log. */
  entries(conversation: string, after?: number): Promise<readonly LogEntry[]>;
  /** The ids of all conversations, in no particular order. */
  list(): Promise<readonly string[]>;
  /** Deletes a log and the records of its runs, if there is one. @throws PromptEvaluationError E746 if one of its runs has not ended */
  delete(conversation: string): Promise<void>;
}
