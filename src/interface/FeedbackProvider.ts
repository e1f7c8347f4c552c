import type { Awaitable } from '../common/types.js';
import type { CallContext } from './CallContext.js';
import type { ParsedCall } from './ToolPolicy.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';

/** When a provider is asked; of several triggers, any. At least one must be given. */
export interface FeedbackTrigger {
  /** After every n-th call: a whole number from 1 on. */
  readonly everyCalls?: number | undefined;
  /** After the first call that ends when so many seconds have passed since the provider was last asked, or its first call began. */
  readonly everySeconds?: number | undefined;
  /** Once, after the first call that finds a file at the path in the filesystem that is bound to `Filesystem`. */
  readonly fileCreated?: string | undefined;
}

/**
 * Adds guidance to what the model reads of a call, from time to time (docs/contract.md, 10). Calls count whose arguments
 * were accepted, also denied and failed ones, but not those that handlers make; two instances count apart, and so does each
 * session.
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
   * The guidance; undefined when there is nothing to say. Asked once the call has ended: `context` shows what it committed,
   * and refuses to change it. One that throws, or takes longer than 5 seconds, says nothing and is logged.
   */
  provide(call: ParsedCall, outcome: ToolOutcome, context: CallContext): Awaitable<string | undefined>;
}
