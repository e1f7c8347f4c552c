import type { Usage } from 'toolwright';

/** The reason why a message ended, in the words of the AI SDK. */
export type UiFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

/** The metadata of a finished message. */
export interface UiMessageMetadata {
  /** The id of the run that wrote the message. */
  readonly run: string;
  /** The tokens of all its requests; left out if a provider did not report them. */
  readonly usage?: Usage | undefined;
}

/** The beginning of a call: `dynamic` unless the front end knows the types of the tools. */
interface UiToolHead {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly dynamic?: true | undefined;
}

/**
 * A chunk of the AI SDK's UI message stream, as Toolwright writes it. Clients of `ai` 6 take all of them but `reset-step`,
 * `steering-message` and `tool-approval-response`, which are written only for clients of `ai` 7.
 */
export type UiChunk =
  | { readonly type: 'start'; readonly messageId: string }
  | { readonly type: 'start-step' | 'finish-step' | 'reset-step' }
  | { readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; readonly id: string }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string }
  | ({ readonly type: 'tool-input-start' } & UiToolHead)
  | { readonly type: 'tool-input-delta'; readonly toolCallId: string; readonly inputTextDelta: string }
  | ({ readonly type: 'tool-input-available'; readonly input: unknown } & UiToolHead)
  | {
      readonly type: 'tool-approval-request';
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly approvalDescriptor?: unknown;
      readonly signature?: string | undefined;
    }
  | {
      readonly type: 'tool-approval-response';
      readonly approvalId: string;
      readonly approved: boolean;
      readonly reason?: string | undefined;
    }
  | {
      readonly type: 'tool-output-available';
      readonly toolCallId: string;
      readonly output: unknown;
      readonly dynamic?: true;
    }
  | {
      readonly type: 'tool-output-error';
      readonly toolCallId: string;
      readonly errorText: string;
      readonly dynamic?: true;
    }
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string }
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string }
  | { readonly type: 'steering-message'; readonly id: string; readonly parts: readonly UiTextPart[] }
  | { readonly type: `data-${string}`; readonly id?: string; readonly data: unknown; readonly transient?: true }
  | { readonly type: 'finish'; readonly finishReason: UiFinishReason; readonly messageMetadata: UiMessageMetadata }
  | { readonly type: 'abort'; readonly reason?: string | undefined }
  | { readonly type: 'error'; readonly errorText: string };

/** A text of a message. */
interface UiTextPart {
  readonly type: 'text';
  readonly text: string;
  readonly state?: 'done' | undefined;
}
