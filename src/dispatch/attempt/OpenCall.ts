import type { SessionPort } from '../../interface/SessionPort.js';
import type { TransactionResources } from '../../resource/TransactionResources.js';
import type { TransactionBase } from '../../session/SessionTransaction.js';
import type { LinkedSignal } from './LinkedSignal.js';

/** The transaction that a nested call is a savepoint of. */
export interface OpenTransaction {
  /** True for a read-only tool: the calls that it makes may not change anything either. */
  readonly readOnly: boolean;
  readonly session: TransactionBase;
  /** The state that policies write; writable even in a read-only call. */
  readonly notes: TransactionBase;
  /** The same state, as policies see it. */
  readonly notesView: SessionPort;
  /** The same session, as handlers see it. */
  readonly view: SessionPort;
  readonly resources: TransactionResources;
}

/** A call that has begun; the calls of its handler are savepoints of it. */
export interface OpenCall {
  readonly callId: string;
  readonly transaction: OpenTransaction;
  readonly signal: LinkedSignal;
}
