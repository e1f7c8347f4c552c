import type { TransactionResources } from '../../resource/TransactionResources.js';
import type { TransactionBase } from '../../session/SessionTransaction.js';
import type { LinkedSignal } from './LinkedSignal.js';

/** The transaction that a nested call is a savepoint of. */
export interface OpenTransaction<S extends TransactionBase = TransactionBase> {
  /** True for a read-only tool: the calls that it makes may not change anything either. */
  readonly readOnly: boolean;
  readonly session: S;
  /** The state that policies write; writable even in a read-only call. */
  readonly notes: S;
  readonly resources: TransactionResources;
}

/** A call that has begun; the calls of its handler are savepoints of it. */
export interface OpenCall<S extends TransactionBase = TransactionBase> {
  readonly callId: string;
  readonly transaction: OpenTransaction<S>;
  readonly signal: LinkedSignal;
}
