import type { Awaitable } from '../common/types.js';
import type { CallContext } from './CallContext.js';
import type { ParsedCall } from './ToolPolicy.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';

/** The condition for calling a feedback provider; any of several suffices, and at least one is required. */
export interface FeedbackTrigger {
  /** After every n-th call: a whole number from 1 on. */
  readonly everyCalls?: number | undefined;
  /** After the first call to end this many seconds after the provider was last called, or after its first call began. */
  readonly everySeconds?: number | undefined;
  /** Once, after the first call at whose end a file exists at the path in the filesystem bound to `Filesystem`. */
  readonly fileCreated?: string | undefined;
}

/**
 * Adds feedback to the text that the model reads of a call, from time to time (docs/contract.md, 10). Counts the calls whose
 * arguments were accepted, including denied and failed ones, but not those made by handlers; each instance and each session
 * has a count of its own.
 *
 * @example
 * const reminder: FeedbackProvider = {
 *   name: 'cart_size',
 *   trigger: { everyCalls: 5 },
 *   provide: (_call, _outcome, { session }) => `There are ${session.slice(Item).all().length} items in the cart.`,
 * };
 */
export interface FeedbackProvider {
  /** For logs and events. */
  readonly name: string;
  readonly trigger: FeedbackTrigger;
  /**
   * Returns the feedback; undefined if there is none. Called once the call has ended: `context` gives read-only access to what
   * it committed. A provider that throws, or takes longer than 5 seconds, adds no feedback and is logged.
   */
  provide(call: ParsedCall, outcome: ToolOutcome, context: CallContext): Awaitable<string | undefined>;
}
