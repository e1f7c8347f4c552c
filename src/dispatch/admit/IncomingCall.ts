import type { RenderedTool } from '../../prompt/RenderedTool.js';
import type { ArgumentRepair, ToolCall } from '../../value/ToolCall.js';
import type { Placement, CallRun } from '../CallRun.js';
import type { ErrorMask } from '../redact/ErrorMask.js';
import type { ArgumentsReading } from './parseArguments.js';
import type { SecretRedaction } from '../redact/SecretRedaction.js';
import type { Seals } from './Seals.js';

/** One call as the dispatcher received it. */
export interface IncomingCall {
  readonly call: ToolCall;
  readonly run: CallRun;
  /** Undefined when the rendering offers no such tool. */
  readonly tool: RenderedTool | undefined;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  readonly place: Placement;
  /** Undefined when the call holds nothing to hide. */
  readonly redaction: SecretRedaction | undefined;
  readonly seals: Seals;
  readonly errorMask: ErrorMask;
  /** How its arguments are read. */
  readonly reading: ArgumentsReading;
  /** What of its arguments was repaired, or would have to be. */
  readonly repairs?: readonly ArgumentRepair[] | undefined;
}

/** A call of a tool that exists. */
export interface GuardedCall extends IncomingCall {
  readonly tool: RenderedTool;
}
