import type { ContentPart } from './ContentPart.js';
import type { ToolCall } from './ToolCall.js';
import type { JsonValue } from '../common/types.js';

/**
 * One message of the conversation with a model, in a form that every adapter can express. A sent message never changes:
 * new content is appended (docs/contract.md, 17).
 */
export type Message =
  | { readonly role: 'system'; readonly content: string }
  | {
      readonly role: 'user';
      readonly content: string;
      /** Images, files, audio and further texts that follow the text. */
      readonly parts?: readonly ContentPart[] | undefined;
      /**
       * Set on notes of the run. `operator`: Toolwright wrote the text, which may be sent with the operator's
       * authority. `application`: hooks or checkers of the application wrote it. Left out for messages of users.
       */
      readonly note?: 'operator' | 'application' | undefined;
      /** The tools that the model may, or may no longer, call from here on. */
      readonly tools?: ToolChanges | undefined;
    }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly toolCalls?: readonly ToolCall[] | undefined;
      readonly native?: NativeContent | undefined;
    }
  | {
      readonly role: 'tool';
      readonly toolCallId: string;
      /** The tool that answered. */
      readonly name: string;
      readonly content: string;
      /** Images, files, audio and further texts that follow the text. */
      readonly parts?: readonly ContentPart[] | undefined;
      /** True if the content reports a failure. */
      readonly failed: boolean;
      /** The tools that the model may call from here on, because this call opened their sections. */
      readonly tools?: ToolChanges | undefined;
    };

/** Tools that the model may, or may no longer, call after a message, by name. */
export interface ToolChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * An answer in the form that its provider expects back with the next request, if text and calls do not represent all of
 * it: signed reasoning, or the results of a provider's own tool. Only an adapter for that provider reads it.
 */
export interface NativeContent {
  /** E.g. `anthropic`. */
  readonly provider: string;
  /** The parts of the answer in order, in the provider's form; plain JSON. */
  readonly content: readonly JsonValue[];
  /** The positions in `content` at which the provider had paused, and was asked to continue. */
  readonly pauses?: readonly number[] | undefined;
}
