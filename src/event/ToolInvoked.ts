import { brand } from '../common/brand.js';
import type { ParamIssue } from '../error/toolErrors.js';
import type { RunMetadata } from '../interface/CallContext.js';
import type { ArgumentRepair, ToolCaller } from '../value/ToolCall.js';
import type { ContentPartSummary } from '../value/ContentPart.js';
import type { SectionVisibility } from '../value/SectionVisibility.js';
import type { SideEffect, OutcomeKind } from '../value/ToolOutcome.js';
import type { ToolResult } from '../value/ToolResult.js';

/** The fields of every event. */
export interface EventHead {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly sessionId: string;
  /** The ids of the run, set by the host; empty by default. */
  readonly runMetadata: RunMetadata;
}

/** Base of all events: an event has its fields, and cannot be changed. */
export abstract class FrozenEvent<F extends EventHead> {
  constructor(fields: F) {
    Object.assign(this, fields);
    Object.freeze(this);
  }
}

/** The sections that a call requested in full. */
export interface Expansion {
  /** Their paths, without the sections that were already open. */
  readonly sections: readonly string[];
  /** The reason given by the model. */
  readonly reason: string;
  /** The visibility of each section in the text at that time, by path. */
  readonly visibility: Readonly<Record<string, SectionVisibility>>;
}

/** The fields of `ToolInvoked`. */
export interface ToolInvokedFields extends EventHead {
  /** The called name, even if the tool does not exist. */
  readonly name: string;
  readonly callId: string;
  /** The caller: the model or host (`direct`), or a program. */
  readonly caller: ToolCaller;
  /** The id of the call of the program or handler that made this one; undefined for a call of the model. */
  readonly parentCallId?: string | undefined;
  /** An instance of the params class, null for a tool without params, or `RejectedToolParams`. */
  readonly params: unknown;
  /** The result without its parts; null if the dispatcher threw an error. */
  readonly result: ToolResult | null;
  /** The value as rendered for the model; empty for null. */
  readonly renderedOutput: string;
  /** The exact text that the model received. */
  readonly toolMessage: string;
  /** Summaries of the images, files, audio and further texts that the model received after it, without their bytes. */
  readonly parts?: readonly ContentPartSummary[] | undefined;
  readonly kind: OutcomeKind;
  /** The original exception, if there was one. */
  readonly error?: unknown;
  /** The effect outside its transaction that a failed handler may have had. */
  readonly effect?: SideEffect | undefined;
  /** False if changes of the session or of resources may remain. */
  readonly rolledBack?: false | undefined;
  /** True if an approver let the call run. */
  readonly approved?: true | undefined;
  /** The repairs of the arguments. For kind `rejected`, the repairs that would have been needed. */
  readonly repairs?: readonly ArgumentRepair[] | undefined;
  /** The differences between the result and its declared type, if the tool declares `mismatch: 'warn'`. */
  readonly resultIssues?: readonly ParamIssue[] | undefined;
  /** Set on a call of kind `expanded`. */
  readonly expansion?: Expansion | undefined;
  readonly durationMs: number;
}

/** A tool call has ended, successfully or not. Published after commit or rollback (docs/contract.md, 7 and 9). */
export class ToolInvoked extends FrozenEvent<ToolInvokedFields> {}
brand(ToolInvoked, 'ToolInvoked');
export interface ToolInvoked extends ToolInvokedFields {}
