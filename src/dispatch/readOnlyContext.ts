import type { CallInfo } from '../interface/CallContext.js';
import type { CallRun, DispatchServices } from './CallRun.js';
import { CallSignal } from './CallSignal.js';
import { CallToolContext } from './CallToolContext.js';
import { CallTransaction } from './CallTransaction.js';
import type { OpenCall, OpenTransaction } from './OpenCall.js';
import type { CallRedaction } from './Redaction.js';

/** From where somebody looks on. */
export interface ContextScope {
  readonly run: CallRun;
  /** The call that this one is a savepoint of; what it has done so far is seen. */
  readonly parentCall: OpenCall | undefined;
  readonly details: CallInfo;
  readonly redaction: CallRedaction | undefined;
}

/** What those see who look on a call from outside of its transaction. */
export interface ReadOnlyContext {
  readonly context: CallToolContext;
  readonly signal: CallSignal;
  /** True when something that was seen has changed meanwhile; also after the end. */
  readonly moved: () => boolean;
  /** Ends it: the context refuses every later use, and what was made for it is closed. */
  readonly close: () => Promise<void>;
}

/**
 * Lets policies, approvers and feedback providers look on: a context that shows the state as it is now, policies' marks of
 * read-only calls included, and in which every write is refused or dropped.
 */
export function openReadOnlyContext(services: DispatchServices, scope: ContextScope): ReadOnlyContext {
  const { run, parentCall, details } = scope;
  const { session } = run;
  const here: CallRun = { ...run, session: session.thawed ?? session };
  const parent = parentCall === undefined ? undefined : policyTransaction(parentCall.transaction);
  const transaction = new CallTransaction(services, here, parent, true);
  const signal = new CallSignal(parentCall?.signal);
  const context = readOnlyContext(services, scope, transaction, signal);
  return {
    context,
    signal,
    moved: () => transaction.conflicts(false),
    close: () => {
      CallToolContext.close(context);
      return transaction.drop(services.logger, details.name);
    },
  };
}

/** The context of somebody who has no part in a call: without a model, and without tools to call. */
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

/** A call's transaction for its policies: what they have noted is seen, and may be written even where the call only reads. */
export function policyTransaction({ notes, resources }: OpenTransaction): OpenTransaction {
  return { readOnly: false, session: notes, notes, view: notes, resources };
}
