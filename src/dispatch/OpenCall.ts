import type { SessionPort } from '../interface/SessionPort.js';
import type { CallResources } from '../resource/CallResources.js';
import type { TransactionBase } from '../session/SessionTransaction.js';
import type { CallSignal } from './CallSignal.js';

/** What a nested call is a savepoint of. */
export interface OpenTransaction {
  /** True for a tool that promised to change nothing: what it calls may change nothing either. */
  readonly readOnly: boolean;
  readonly session: TransactionBase;
  /** Where policies note what they remember: the same state, which they may write to in a read-only call, too. */
  readonly notes: TransactionBase & SessionPort;
  /** The same session, as handlers see it. */
  readonly view: SessionPort;
  readonly resources: CallResources;
}

/** A call that has begun: what is called from within is a savepoint of it. */
export interface OpenCall {
  /** The id of the call. */
  readonly callId: string;
  readonly transaction: OpenTransaction;
  readonly signal: CallSignal;
}
