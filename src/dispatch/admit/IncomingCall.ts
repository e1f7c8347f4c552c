import type { RenderedTool } from '../../prompt/RenderedTool.js';
import type { ArgumentRepair, ToolCall } from '../../value/ToolCall.js';
import type { Placement, DispatchContext, DispatchServices } from '../DispatchContext.js';
import type { ArgumentsReading } from './parseArguments.js';
import type { SecretRedaction } from '../redact/SecretRedaction.js';

/** One call as the dispatcher received it. */
export interface IncomingCall {
  readonly services: DispatchServices;
  readonly call: ToolCall;
  readonly run: DispatchContext;
  /** Undefined when the rendering does not offer the tool. */
  readonly tool: RenderedTool | undefined;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  readonly place: Placement;
  /** Undefined when the call has nothing to hide. */
  readonly redaction: SecretRedaction | undefined;
  readonly reading: ArgumentsReading;
  /** Repairs that were made to the arguments, or that would make them valid. */
  readonly repairs?: readonly ArgumentRepair[] | undefined;
}

/** A call of a tool that exists. */
export interface GuardedCall extends IncomingCall {
  readonly tool: RenderedTool;
}
