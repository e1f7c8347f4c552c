import type { ContentPart } from './ContentPart.js';
import type { NativeContent } from './NativeContent.js';
import type { ToolCall } from './ToolCall.js';
import type { ToolChanges } from './ToolChanges.js';

/**
 * One message of the conversation with a model, in a form that every adapter can express. A message never changes once it was
 * sent: what changes is appended (docs/contract.md, 17).
 */
export type Message =
  | { readonly role: 'system'; readonly content: string }
  | {
      readonly role: 'user';
      readonly content: string;
      /** Images, files, audio and further texts that follow the text. */
      readonly parts?: readonly ContentPart[] | undefined;
      /**
       * Set on notes of the run. `operator`: the words are Toolwright's own, and may be sent with the operator's authority;
       * `application`: they come from hooks or checkers of the application. Left out for messages of users.
       */
      readonly note?: 'operator' | 'application' | undefined;
      /** The tools that the model may call from here on, or no longer. */
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
      /** The tools that the model may call from here on: those of the sections that this call opened. */
      readonly tools?: ToolChanges | undefined;
    };
