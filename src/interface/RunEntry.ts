import type { JsonSchema, JsonValue } from '../common/types.js';
import type { Message } from '../value/Message.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { OutcomeKind } from '../value/ToolOutcome.js';
import type { ProviderFailure } from '../error/ProviderFailure.js';
import type { Usage } from '../value/Usage.js';
import type { ModelPart, ModelResponse } from './ModelAdapter.js';

/** A tool as it was offered when a conversation began. */
export interface RecordedTool {
  readonly name: string;
  readonly description: string;
  /** The schema of its arguments in draft 2020-12. */
  readonly schema: JsonSchema;
  /** Example inputs, as a model would write them. */
  readonly examples?: readonly Readonly<Record<string, JsonValue>>[] | undefined;
  /** The path of the section that offers it; empty for a tool without a section. */
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

/** The beginning of every request of a conversation, until a new segment replaces it. */
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

/**
 * Changes of a session: values that were appended to a slice, or all of its values, by the slice's name in JSON. `cleared` in a
 * change of a shared session: everything before it was removed.
 */
export interface SessionDelta {
  readonly cleared?: true | undefined;
  readonly appended?: Readonly<Record<string, readonly JsonValue[]>> | undefined;
  readonly replaced?: Readonly<Record<string, readonly JsonValue[]>> | undefined;
}

/** Digests of the parts of a request, each over its entries in order; `tools` and `system` only where the answer before has others. */
export interface SentDigest {
  readonly tools?: string | undefined;
  readonly system?: string | undefined;
  readonly messages: string;
  /** The number of messages. */
  readonly count: number;
}

/** The answer to a question: the first one counts, and only `lifted` may come after another. */
export type QuestionReply =
  /** Only for `approval`: the call may run. */
  | {
      readonly kind: 'approved';
      readonly by?: string | undefined;
      /** Of `runs.preview`: the approval holds only for the changes that were shown there. */
      readonly seen?: string | undefined;
      /** Arguments that the person wrote in place of the model's: the call runs with exactly these. Checked by the tool's schema. */
      readonly arguments?: Readonly<Record<string, JsonValue>> | undefined;
    }
  /** The call does not run. The same call is denied again, without a question, until the next message of the user. */
  | {
      readonly kind: 'denied';
      readonly reason: string;
      readonly by?: string | undefined;
      /** Only for `approval`: the denial holds until a reply `lifted` to the same question, whatever the user writes. */
      readonly until?: 'lifted' | undefined;
    }
  /** Lifts a denial that holds until then: the same call is asked about again. */
  | { readonly kind: 'lifted'; readonly by?: string | undefined }
  /** Only for `unknown`: run it again, or take the text as its outcome. */
  | { readonly kind: 'repeat'; readonly by?: string | undefined }
  | { readonly kind: 'outcome'; readonly text: string; readonly by?: string | undefined };

/** Why a run went on with another model. */
interface ModelFallback {
  readonly failure: ProviderFailure;
  /** The usage of the answer that was dropped, if there was one and it was reported. */
  readonly usage?: Usage | undefined;
}

/** The fields of each kind of entry, beside its kind and the number of its format. */
interface EntryFields {
  /** The first entry of a log. */
  readonly conversation: ConversationHead & {
    readonly id: string;
    /** `ns/key`. */
    readonly prompt: string;
  };
  /**
   * The conversation goes on with a new head, and messages in place of all earlier ones. `history`: with a shorter history;
   * `rendering`: with another form of the answers; `model`: with a model that gets other tools.
   */
  readonly segment: ConversationHead & {
    /** The turn of the run whose request is the first one of the segment. */
    readonly turn: number;
    readonly reason: 'history' | 'rendering' | 'model';
    readonly messages: readonly Message[];
    /** The number of answers among the messages that lost their bound thinking or reasoning. */
    readonly unbound?: number | undefined;
  };
  /** Requests from here on go to this model. */
  readonly model: {
    /** The name of the adapter. */
    readonly adapter: string;
    /** The result of `ModelAdapter.means`. */
    readonly means: JsonValue;
    /** A hash over adapter and means; left out without means. */
    readonly digest?: string | undefined;
    /** Why a run went on with it in the middle, instead of the model before; left out for the model of a run that begins. */
    readonly fallback?: ModelFallback | undefined;
    /** The form of the answers, which a message describes to this model in the middle of a run: the model before did not need it. */
    readonly output?: string | undefined;
  };
  /** A run began: someone wrote to the model. */
  readonly run: {
    readonly run: string;
    /** The messages that it began with, after everything before. */
    readonly messages: readonly Message[];
    /** The ids of the messages to a run that it begins with: one that comes twice is heard once. */
    readonly steered?: readonly string[] | undefined;
    /** The form of the answers that its messages describe, where it is another one; null if any text will do from here on. */
    readonly output?: string | null | undefined;
    /** How the host changed the session since the run before. */
    readonly session?: SessionDelta | undefined;
    /** The name of the session that the run shares with other conversations; its state is kept there and not in this log. */
    readonly sharedSession?: string | undefined;
  };
  /** The model answered a request. */
  readonly answer: Pick<ModelResponse, 'text' | 'toolCalls' | 'finishReason' | 'usage' | 'native'> & {
    /** The number of the request in the run, from 1. */
    readonly turn: number;
    /** A hash over the answer, for one with native content: the provider takes that back only as it was. */
    readonly digest?: string | undefined;
    /** Digests of the request that was sent: another process sees by them if a later request begins with it. */
    readonly sent?: SentDigest | undefined;
    /** The tools as they were written for the request, in the dialects that no answer before has. */
    readonly lowered?: LoweredTools | undefined;
  };
  /** A call is about to be run whose effects outside cannot be repeated safely. Safe before its handler starts. */
  readonly begun: {
    /** Turn and position of the call, e.g. `2.1`; positions count from 0. */
    readonly call: string;
    readonly name: string;
  };
  /** A call ended: it is not repeated. */
  readonly outcome: {
    readonly call: string;
    readonly name: string;
    readonly outcome: OutcomeKind;
    /** The text and parts that the model reads, with all feedback. */
    readonly message: Extract<Message, { readonly role: 'tool' }>;
    /** The indexes of the tool's feedback providers that spoke. */
    readonly spoke?: readonly number[] | undefined;
    /** The paths of the sections that it opened. */
    readonly opened?: readonly string[] | undefined;
    /** How it changed the session; left out if it did not. */
    readonly session?: SessionDelta | undefined;
  };
  /** The completion checkers judged an answer. */
  readonly verdict: {
    readonly turn: number;
    readonly complete: boolean;
    /** The feedback of the checker that refused; empty if none did. */
    readonly feedback: string;
  };
  /** A message of the run itself to the model, after a turn. */
  readonly note: {
    readonly turn: number;
    /** `limits`: little is left; `answer`: it could not be read; `verdict`: a checker refuses it. */
    readonly about: 'limits' | 'answer' | 'verdict';
    readonly message: Extract<Message, { readonly role: 'user' }>;
  };
  /** A person wrote to the model while the run went on: after the calls of a turn, or after an answer that would have been the last. */
  readonly steering: {
    readonly turn: number;
    /** Names the message: one that comes twice is heard once. */
    readonly id: string;
    readonly message: Extract<Message, { readonly role: 'user' }>;
  };
  /** A call waits for an answer from outside, and the run is parked. */
  readonly question: {
    /** Names this question and no other one, ever: replies name it. */
    readonly id: string;
    readonly call: string;
    readonly name: string;
    readonly arguments: ToolCall['arguments'];
    /** `approval`: may it run? `unknown`: it began in a process that ended, and its outcome is not known. */
    readonly about: 'approval' | 'unknown';
    /** Milliseconds since 1970. */
    readonly askedAt: number;
    /** For an approval, which holds only for these: seals arguments, tool, prompt and tag, conversation, tenant and principal. */
    readonly shown?: string | undefined;
    /** Why the call is asked about again although it was approved; left out the first time. */
    readonly reason?: string | undefined;
  };
  /** A question was answered, or a denial that answered it was lifted: a reply `lifted` may come after the end of its run. */
  readonly reply: {
    /** The id of the question. */
    readonly question: string;
    readonly call: string;
    readonly reply: QuestionReply;
  };
  /** A run ended, and its conversation can go on. */
  readonly end: {
    readonly run: string;
    readonly how: 'answered' | 'failed' | 'cancelled' | 'abandoned';
    /** Why, unless it was answered. */
    readonly problem?: string | undefined;
    /** The messages that answer its open calls, or the text of the answer during which it was cancelled. */
    readonly messages: readonly Message[];
    /** How the session changed since the last call. */
    readonly session?: SessionDelta | undefined;
  };
}

type AnyEntry = {
  readonly [K in keyof EntryFields]: EntryFields[K] & {
    readonly kind: K;
    /** The number of its format; 1 when left out. */
    readonly version?: number | undefined;
  };
}[keyof EntryFields];

/**
 * One entry of the log of a conversation; `RunEntry<'answer'>` is an entry of one kind. Plain JSON. Streams, the events of durable
 * runs, bundles and transcripts are made of the same entries.
 */
export type RunEntry<K extends AnyEntry['kind'] = AnyEntry['kind']> = Extract<AnyEntry, { readonly kind: K }>;

/** Fields that only the next request or another process needs. */
type UnshownField = 'version' | 'native' | 'digest' | 'sent' | 'lowered' | 'spoke' | 'session';

type Shown<E> = E extends RunEntry
  ? Omit<E, UnshownField> & {
      /** The number of the request to the model, from 1; 0 before the first. */
      readonly turn: number;
      /**
       * The place in the log of the conversation, from which a client goes on with `after`; undefined without a conversation, and for the
       * end of a run that never began.
       */
      readonly seq?: number | undefined;
    }
  : never;

/**
 * An entry as clients get it. Texts of the model are unchanged; arguments and messages are as in the transcript, without secrets
 * (docs/contract.md, 16).
 */
export type ShownEntry<K extends ShownKind = ShownKind> = Shown<RunEntry<K>>;

/** An entry of a whole conversation as clients get it: the messages of people as well, each with the run that it began. */
export type HistoryEntry = ShownEntry | Shown<RunEntry<'run'>>;

type ShownKind = 'answer' | 'outcome' | 'note' | 'steering' | 'question' | 'reply' | 'end';

/** A handler reported its progress through `context.reportProgress`. */
export interface ProgressDelta {
  readonly kind: 'progress';
  readonly call: string;
  readonly id: string;
  readonly name: string;
  readonly value: {
    /** From 0 to 1; left out if unknown. */
    readonly fraction?: number | undefined;
    /** At most 1,000 characters, without secrets. */
    readonly message?: string | undefined;
  };
}

/** Tells of an entry before it is there: of the parts of an `answer`, or of a call whose `outcome` follows. Not in the log. */
export type RunDelta = { readonly turn: number } & (
  | Exclude<ModelPart, { readonly kind: 'response' }>
  /** The provider failed, and the request is repeated after `waitMs` milliseconds: the parts of this turn so far are void. */
  | {
      readonly kind: 'retry';
      readonly waitMs: number;
      readonly problem: string;
      /** The name of another adapter that gets the request, and the run with it; left out if the same one does. */
      readonly adapter?: string | undefined;
    }
  /** A call is about to be run. */
  | (Pick<RunEntry<'begun'>, 'kind' | 'call'> & ToolCall)
  | ProgressDelta
);
