import type { RunMetadata } from '../interface/RunMetadata.js';
import type { SectionVisibility } from '../value/SectionVisibility.js';
import type { ToolCaller } from '../value/ToolCaller.js';
import type { CallEffect, OutcomeKind } from '../value/ToolOutcome.js';
import type { ToolResult } from '../value/ToolResult.js';

/** What every event carries. */
export interface EventHead {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly sessionId: string;
  /** The host's ids of the run; empty when it gave none. */
  readonly runMetadata: RunMetadata;
}

/** Which sections a call asked to see in full. */
export interface Expansion {
  /** Their paths; those that were open already are left out. */
  readonly sections: readonly string[];
  /** Why they are needed. */
  readonly reason: string;
  /** How much was shown of each section that stood in the text then, by path. */
  readonly visibility: Readonly<Record<string, SectionVisibility>>;
}

/** The fields of `ToolInvoked`. */
export interface ToolInvokedFields extends EventHead {
  /** The name that was called, also when there is no such tool. */
  readonly name: string;
  readonly callId: string;
  /** Whether the model (or the host) made the call, or a program. */
  readonly caller: ToolCaller;
  /** The call in which it was made, by a program or a handler; undefined for a call of the model. */
  readonly parentCallId?: string | undefined;
  /** An instance of the params class, null for a tool without params, or `RejectedToolParams`. */
  readonly params: unknown;
  /** Null when an error left the dispatcher. */
  readonly result: ToolResult | null;
  /** The value as the model would read it; empty for null. */
  readonly renderedOutput: string;
  /** Exactly what the model got. */
  readonly toolMessage: string;
  readonly kind: OutcomeKind;
  /** The original exception, if there was one. */
  readonly error?: unknown;
  readonly effect?: CallEffect | undefined;
  /** Set on a call of kind `expanded`. */
  readonly expansion?: Expansion | undefined;
  readonly durationMs: number;
}

/** A tool call has ended, well or not; published after commit or rollback (docs/contract.md, 7 and 9). */
export class ToolInvoked {
  constructor(fields: ToolInvokedFields) {
    Object.assign(this, fields);
    Object.freeze(this);
  }
}
export interface ToolInvoked extends ToolInvokedFields {}
