import type { ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';

/** Is called before and after each call of a turn, and awaited (docs/contract.md, 16). */
export interface CallListener {
  /** Before a call, or before the first of those that run together. */
  began(call: ToolCall): Promise<void>;
  /** After each call, also one that could not be started. */
  ended(call: ToolCall, outcome: ToolOutcome): Promise<void>;
}
