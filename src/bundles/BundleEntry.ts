import type { JsonValue } from '../common/types.js';
import type { PrefixMeasure } from '../interface/Interceptor.js';
import type { ToolView } from '../interface/PromptView.js';
import type { RunEntry, SessionDelta } from '../interface/RunEntry.js';
import type { StateChange } from '../interface/Transactional.js';
import type { RenderedSection } from '../prompt/RenderedPrompt.js';
import type { Message } from '../value/Message.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { OutcomeKind } from '../value/ToolOutcome.js';
import type { Usage } from '../value/Usage.js';

/** The first line of a bundle. */
export interface BundleHead {
  readonly kind: 'bundle';
  readonly format: 'toolwright/bundle';
  /** Version of the format; raised when older copies could not read it. */
  readonly version: 1;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The versions of `toolwright` and `node`. */
  readonly versions: Readonly<Record<string, string>>;
}

/** A section of a recorded rendering. */
export type BundleSection = Omit<RenderedSection, 'key'>;

/** A tool of a recorded rendering. */
export interface BundleTool extends Pick<ToolView, 'name' | 'description' | 'schema'> {
  readonly section: string;
  readonly hints?: JsonValue | undefined;
}

/**
 * The fields of each kind of line, without the fields of every line. A bundle records every run, also a run without a log. Fields that an
 * entry of a log has as well are declared there.
 */
interface BundleFields {
  /** A prompt as runs began with it; written once for each different rendering. */
  readonly rendering: {
    /** Identifies the rendering within the bundle. */
    readonly rendering: string;
    /** `ns/key`. */
    readonly prompt: string;
    readonly text: string;
    readonly sections: readonly BundleSection[];
    readonly tools: readonly BundleTool[];
  };
  /** A run began. */
  readonly run: Pick<RunEntry<'run'>, 'run'> & {
    readonly prompt: string;
    readonly rendering?: string | undefined;
    /** The name of the adapter. */
    readonly adapter: string;
    readonly session: string;
    /** The id of its conversation; left out for a run that belongs to none. */
    readonly conversation?: string | undefined;
    /** The ids of the host. */
    readonly metadata: JsonValue;
    /** The values that were bound to the prompt, by the names of their classes; left out if there are none. */
    readonly params?: Readonly<Record<string, JsonValue>> | undefined;
    /** The `seq` of the call in whose handler it takes place. */
    readonly parent?: number | undefined;
  };
  /** The model was asked. */
  readonly request: {
    readonly run: string;
    /** 1 for the first request of the run. */
    readonly turn: number;
    /** The number of messages, the system message included. */
    readonly count: number;
    /** The messages of the first request of a run, without the system message. */
    readonly messages?: readonly Message[] | undefined;
  };
  /** The request was answered, or failed. */
  readonly answer: Partial<Pick<RunEntry<'answer'>, 'text' | 'toolCalls' | 'finishReason' | 'usage'>> & {
    /** The `seq` of the request. */
    readonly of: number;
    readonly run: string;
    readonly turn: number;
    readonly durationMs: number;
    readonly prefix?: PrefixMeasure | undefined;
    /** Why there is no answer. */
    readonly problem?: string | undefined;
  };
  /** A call was received. */
  readonly call: Pick<ToolCall, 'name' | 'arguments'> & {
    readonly run: string;
    readonly session: string;
    readonly turn: number;
    readonly callId: string;
    readonly caller: 'direct' | 'program';
    readonly section?: string | undefined;
    /** The `seq` of the call whose program or handler makes it. */
    readonly parent?: number | undefined;
  };
  /** A handler was started, in a transaction of its own. */
  readonly attempt: {
    /** The `seq` of the call. */
    readonly of: number;
    /** Greater than 1 after a conflict or for a retry. */
    readonly attempt: number;
  };
  /** An attempt wrote to resources; the outcome of its call says whether that was kept. */
  readonly resources: {
    /** The `seq` of the call. */
    readonly of: number;
    readonly attempt: number;
    /** By the names of their classes; without `changes` for a resource that cannot name them. */
    readonly resources: readonly { readonly name: string; readonly changes?: readonly StateChange[] | undefined }[];
  };
  /** A program of a call was started. */
  readonly program: {
    /** The `seq` of the call, where it is known. */
    readonly of?: number | undefined;
    readonly attempt: number;
    readonly code: string;
    readonly tools: readonly string[];
  };
  /** A call has ended. */
  readonly outcome: {
    /** The `seq` of the call. */
    readonly of: number;
    /** `thrown` for an error that ended the run. */
    readonly outcome: OutcomeKind | 'thrown';
    /** The text that the model reads. */
    readonly text: string;
    readonly durationMs: number;
    readonly effect?: string | undefined;
    readonly rolledBack?: false | undefined;
  };
  /** An event of the application. */
  readonly event: {
    /** The class, such as `ToolInvoked`. */
    readonly type: string;
    readonly session: string;
    /** The `seq` of the call that it belongs to. */
    readonly of?: number | undefined;
    readonly fields: Readonly<Record<string, JsonValue>>;
  };
  /** A session has changed: values that were appended to slices, or all of their values. */
  readonly state: SessionDelta & {
    readonly session: string;
    /** The `seq` of the call or run that changed it. */
    readonly of: number;
  };
  /** A run has ended. */
  readonly end: Pick<RunEntry<'end'>, 'run' | 'problem'> & {
    readonly how: Exclude<RunEntry<'end'>['how'], 'abandoned'> | 'waiting';
    readonly durationMs: number;
    readonly code?: string | undefined;
    /** The whole conversation, as a transcript keeps it. */
    readonly messages: readonly Message[];
    readonly usage?: Usage | undefined;
    /** In the currency of the application's `prices`. */
    readonly cost?: number | undefined;
    readonly turns?: number | undefined;
  };
}

type AnyEntry = {
  readonly [K in keyof BundleFields]: BundleFields[K] & {
    readonly kind: K;
    /** Grows by one with each entry; a recording that was shortened does not begin with 0. */
    readonly seq: number;
    /** Milliseconds since the epoch. */
    readonly time: number;
    /** The fields that were too large for a line: they are empty, and texts are cut. Left out if there are none. */
    readonly leftOut?: readonly string[] | undefined;
  };
}[keyof BundleFields];

/** One line of a bundle after the head; `BundleEntry<'answer'>` is a line of one kind. Plain JSON. */
export type BundleEntry<K extends AnyEntry['kind'] = AnyEntry['kind']> = Extract<AnyEntry, { readonly kind: K }>;

/** A recording of runs: prompts, messages, calls, events and state. */
export interface Bundle {
  readonly head: BundleHead;
  readonly entries: readonly BundleEntry[];
}
