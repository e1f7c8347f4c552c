import type { Awaitable } from '../common/types.js';
import type { CallContext } from './CallContext.js';
import type { ParsedCall } from './ToolPolicy.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';

/** Says when to call a feedback provider. Any one of the conditions suffices, and at least one is required. */
export interface FeedbackTrigger {
  /** After every n-th call. A whole number from 1 on. */
  readonly everyCalls?: number | undefined;
  /** After the first call that ends this many seconds after the provider was last called, or after its first call began. */
  readonly everySeconds?: number | undefined;
  /** Once, after the first call that ends while a file exists at this path in the filesystem bound to `Filesystem`. */
  readonly fileCreated?: string | undefined;
}

/**
 * Adds feedback from time to time to the text of a call that the model reads (docs/contract.md, 10). Counts calls with
 * accepted arguments, including denied and failed ones, but not calls of handlers. Each instance counts separately for
 * each session.
 *
 * @example
 * const reminder: FeedbackProvider = {
 *   name: 'cart_size',
 *   trigger: { everyCalls: 5 },
 *   provide: (_call, _outcome, { session }) => `There are ${session.slice(Item).all().length} items in the cart.`,
 * };
 */
export interface FeedbackProvider {
  /** Name for logs and events. */
  readonly name: string;
  readonly trigger: FeedbackTrigger;
  /**
   * Returns the feedback, or undefined. Called after the call has ended; `context` gives read-only access to the
   * committed state. If the provider throws or takes longer than 5 seconds, no feedback is added, and the fault is
   * logged.
   */
  provide(call: ParsedCall, outcome: ToolOutcome, context: CallContext): Awaitable<string | undefined>;
}
