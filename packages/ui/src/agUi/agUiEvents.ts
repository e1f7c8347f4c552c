import type { ApprovalDescription } from '../chats/ApprovalDescription.js';

/** Clients of AG-UI: `legacy` are those before 1.0, which end the run at a form that they do not know. */
export type AgUiGeneration = '1.0' | 'legacy';

/** The bytes of a part, as base64 or at an address. */
type AgUiSource =
  | { readonly type: 'data'; readonly value: string; readonly mimeType: string }
  | { readonly type: 'url'; readonly value: string; readonly mimeType: string };

/** A part of a message. */
export type AgUiPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'audio' | 'document';
      readonly source: AgUiSource;
      readonly metadata?: { readonly filename: string } | undefined;
    };

/** A call within a message of the assistant. */
export interface AgUiToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Tells that the model read a failure. */
interface AgUiResultMetadata {
  /** As in `RunEntry<'outcome'>`, e.g. `failed` or `denied`. */
  readonly outcome: string;
}

/** A message of a conversation; `Message` of `@ag-ui/core` is the same. Texts of a model's reasoning are not kept. */
export type AgUiMessage =
  | { readonly id: string; readonly role: 'user'; readonly content: string | readonly AgUiPart[] }
  | {
      readonly id: string;
      readonly role: 'assistant';
      readonly content?: string | undefined;
      readonly toolCalls?: readonly AgUiToolCall[] | undefined;
    }
  | {
      readonly id: string;
      readonly role: 'tool';
      readonly toolCallId: string;
      readonly content: string | readonly AgUiPart[];
      readonly metadata?: AgUiResultMetadata | undefined;
    };

/** A question that a run waits for. */
export interface AgUiInterrupt {
  /** The id of the question. */
  readonly id: string;
  /** `tool_call`: may it run? `unknown_outcome`: it began in a process that ended, and its outcome is not known. */
  readonly reason: 'tool_call' | 'unknown_outcome';
  readonly message: string;
  readonly toolCallId: string;
  readonly responseSchema: Readonly<Record<string, unknown>>;
  /** ISO 8601. Only for clients of 1.0: older ones can neither answer nor cancel a question that has expired. */
  readonly expiresAt?: string | undefined;
  readonly metadata?: ApprovalDescription | undefined;
}

/** The tokens of one run. */
export interface AgUiUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly totalTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  readonly cachedInputTokens?: number | undefined;
  readonly cacheWriteInputTokens?: number | undefined;
}

/** How a run ended; left out for an answer to a legacy client. */
export type AgUiOutcome =
  | { readonly type: 'success' | 'cancelled' }
  | { readonly type: 'interrupt'; readonly interrupts: readonly AgUiInterrupt[] };

/** An event of the AG-UI protocol, as Toolwright writes it. */
export type AgUiEvent =
  | {
      readonly type: 'RUN_STARTED';
      readonly threadId: string;
      readonly runId: string;
      readonly protocolVersion?: '1.0' | undefined;
    }
  | {
      readonly type: 'RUN_FINISHED';
      readonly threadId: string;
      readonly runId: string;
      readonly outcome?: AgUiOutcome | undefined;
      readonly usage?: readonly AgUiUsage[] | undefined;
    }
  | {
      readonly type: 'RUN_ERROR';
      readonly message: string;
      readonly code: string;
      readonly usage?: readonly AgUiUsage[] | undefined;
    }
  | { readonly type: 'TEXT_MESSAGE_START'; readonly messageId: string; readonly role: 'assistant' }
  | { readonly type: 'TEXT_MESSAGE_CONTENT'; readonly messageId: string; readonly delta: string }
  | { readonly type: 'TEXT_MESSAGE_END'; readonly messageId: string }
  | { readonly type: 'REASONING_START' | 'REASONING_END' | 'REASONING_MESSAGE_END'; readonly messageId: string }
  | { readonly type: 'REASONING_MESSAGE_START'; readonly messageId: string; readonly role: 'reasoning' }
  | { readonly type: 'REASONING_MESSAGE_CONTENT'; readonly messageId: string; readonly delta: string }
  | {
      readonly type: 'TOOL_CALL_START';
      readonly toolCallId: string;
      readonly toolCallName: string;
      readonly parentMessageId: string;
    }
  | { readonly type: 'TOOL_CALL_ARGS'; readonly toolCallId: string; readonly delta: string }
  | { readonly type: 'TOOL_CALL_END'; readonly toolCallId: string }
  | {
      readonly type: 'TOOL_CALL_RESULT';
      readonly messageId: string;
      readonly toolCallId: string;
      readonly role: 'tool';
      readonly content: string | readonly AgUiPart[];
      readonly metadata?: AgUiResultMetadata | undefined;
    }
  | { readonly type: 'STATE_SNAPSHOT'; readonly snapshot: unknown }
  | { readonly type: 'STATE_DELTA'; readonly delta: readonly unknown[] }
  | { readonly type: 'MESSAGES_SNAPSHOT'; readonly messages: readonly AgUiMessage[] }
  | { readonly type: 'CUSTOM'; readonly name: AgUiCustomName; readonly value: unknown };

/**
 * Events of our own: an opened section, a message to a run that goes on, progress of a tool, and, for clients before 1.0, a file of a
 * result and the reason why a run was stopped.
 */
type AgUiCustomName = 'section' | 'steering' | 'progress' | 'file' | 'stopped';
