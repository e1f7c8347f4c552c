import type { NativeContent } from './NativeContent.js';
import type { ToolCall } from './ToolCall.js';

/** One message of the conversation with a model, in a form that every adapter can express. */
export type Message =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string }
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
      /** True if the content reports a failure. */
      readonly failed: boolean;
    };
