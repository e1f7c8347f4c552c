import type { CallInfo } from '../../interface/CallContext.js';
import type { TransactionBase } from '../../session/SessionTransaction.js';
import { LinkedSignal } from './LinkedSignal.js';
import { HandlerContext, type ContextParts } from './HandlerContext.js';
import { AttemptTransaction } from './AttemptTransaction.js';
import type { OpenTransaction } from './OpenCall.js';
import type { IncomingCall } from '../admit/IncomingCall.js';

/** A context for policies, approvers and feedback providers, outside of the call's transaction. */
export interface ReadOnlyContext {
  readonly context: HandlerContext;
  readonly signal: LinkedSignal;
  /** Returns true if state that was read has changed meanwhile; usable after `close`. */
  readonly moved: () => boolean;
  /** Ends the context: it refuses every later use, and its resources are closed. Returns undefined if there are none. */
  readonly close: () => Promise<void> | undefined;
}

/**
 * Opens a context on the current state, including the changes of the calls around it so far, and the records that policies made
 * in read-only calls. Refuses or drops every write.
 */
export function openReadOnlyContext(incoming: IncomingCall, details: CallInfo): ReadOnlyContext {
  const { services, run, place, redaction } = incoming;
  const { session } = run;
  const parentCall = place.parentCall ?? run.parentCall;
  const parent = parentCall === undefined ? undefined : getPolicyTransaction(parentCall.transaction);
  const transaction = new AttemptTransaction(services, run, { parent, readOnly: true, session: session.thawed });
  const signal = new LinkedSignal(parentCall?.signal);
  const context = createReadOnlyContext(incoming, details, transaction, signal);
  return {
    context,
    signal,
    moved: () => transaction.conflicts(false),
    close: () => {
      HandlerContext.close(context);
      return transaction.drop(redaction?.wrapLogger(services.logger) ?? services.logger, details.name);
    },
  };
}

/** Creates a context for code that is not a handler: without a model, and without tools to call. */
export function createReadOnlyContext(
  { services, run, redaction }: IncomingCall,
  details: CallInfo,
  transaction: ContextParts['transaction'],
  signal: LinkedSignal,
): HandlerContext {
  return new HandlerContext(services, run, { transaction, signal, details, nested: undefined, redaction });
}

/** Returns the transaction of a call for its policies, which may write records even if the call is read-only. */
export function getPolicyTransaction<S extends TransactionBase>({
  notes,
  resources,
}: OpenTransaction<S>): OpenTransaction<S> {
  return { readOnly: false, session: notes, notes, resources };
}
