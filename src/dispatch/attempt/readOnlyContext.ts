import type { CallInfo } from '../../interface/CallContext.js';
import type { CallRun, DispatchServices } from '../CallRun.js';
import { CallSignal } from './CallSignal.js';
import { CallToolContext } from './CallToolContext.js';
import { CallTransaction } from './CallTransaction.js';
import type { OpenCall, OpenTransaction } from './OpenCall.js';
import type { CallRedaction } from '../redact/CallRedaction.js';

/** The call that a read-only context is made for. */
export interface ContextScope {
  readonly run: CallRun;
  /** The call that this one is a savepoint of; its changes so far are visible. */
  readonly parentCall: OpenCall | undefined;
  readonly details: CallInfo;
  readonly redaction: CallRedaction | undefined;
}

/** A context for policies, approvers and feedback providers, outside of the call's transaction. */
export interface ReadOnlyContext {
  readonly context: CallToolContext;
  readonly signal: CallSignal;
  /** True if something that was read has changed meanwhile; usable after `close`. */
  readonly moved: () => boolean;
  /** Ends it: the context refuses every later use, and its resources are closed. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a context that shows the state as it is now, including what policies recorded in read-only calls, and in which every
 * write is refused or dropped.
 */
export function openReadOnlyContext(services: DispatchServices, scope: ContextScope): ReadOnlyContext {
  const { run, parentCall, details, redaction } = scope;
  const { session } = run;
  const here: CallRun = { ...run, session: session.thawed ?? session };
  const parent = parentCall === undefined ? undefined : policyTransaction(parentCall.transaction);
  const transaction = new CallTransaction(services, here, { parent, readOnly: true });
  const signal = new CallSignal(parentCall?.signal);
  const context = readOnlyContext(services, scope, transaction, signal);
  return {
    context,
    signal,
    moved: () => transaction.conflicts(false),
    close: () => {
      CallToolContext.close(context);
      return transaction.drop(redaction?.logger(services.logger) ?? services.logger, details.name);
    },
  };
}

/** Makes a context that is no handler's: without a model, and without tools to call. */
export function readOnlyContext(
  services: DispatchServices,
  { run, details, redaction }: ContextScope,
  transaction: OpenTransaction,
  signal: CallSignal,
): CallToolContext {
  const nested = (): Promise<never> => Promise.reject(new TypeError('who looks on a call cannot call tools'));
  const here: CallRun = { ...run, runHandle: undefined };
  return new CallToolContext(services, here, { transaction, signal, details, nested, redaction });
}

/** The transaction of a call for its policies, which may record something even if the call is read-only. */
export function policyTransaction({ notes, notesView, resources }: OpenTransaction): OpenTransaction {
  return { readOnly: false, session: notes, notes, view: notesView, notesView, resources };
}
