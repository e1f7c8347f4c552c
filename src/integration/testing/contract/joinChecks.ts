import assert from 'node:assert/strict';
import type { Awaitable } from '../../../common/types.js';
import type { AppendTransaction } from '../../../interface/AppendTransaction.js';
import type { LogEntry } from '../../../interface/RunStore.js';
import { notes, refused, type ContractLogs } from './ContractLogs.js';
import { requirement, type StoreRequirement } from './storeChecks.js';

/** A transaction that counts what ends it. */
class Watched implements AppendTransaction {
  ends = '';
  readonly #transaction: AppendTransaction;
  readonly #loses: 'nothing' | 'commit' | 'acknowledgement';

  constructor(transaction: AppendTransaction, loses: 'nothing' | 'commit' | 'acknowledgement' = 'nothing') {
    this.#transaction = transaction;
    this.#loses = loses;
  }

  get client(): unknown {
    return this.#transaction.client;
  }

  async commit(): Promise<void> {
    this.ends += 'commit ';
    await (this.#loses === 'commit' ? this.#transaction.rollback() : this.#transaction.commit());
    if (this.#loses !== 'nothing') assert.fail('the connection was lost');
  }

  async rollback(): Promise<void> {
    this.ends += 'rollback ';
    await this.#transaction.rollback();
  }
}

/** Appends in transactions of resources. */
export function joinChecks(begin: () => Awaitable<AppendTransaction>): readonly StoreRequirement[] {
  const append = (logs: ContractLogs, epoch: number, entries: readonly LogEntry[], within: Watched): Promise<void> =>
    logs.store.append({ conversation: logs.conversation, epoch, after: 0 }, entries, within);
  return [
    requirement('an append commits the transaction that it is in', async (logs) => {
      assert.notEqual(logs.store.database, undefined, 'a store whose appends can be joined says on what');
      const { epoch } = await logs.begun();
      const within = new Watched(await begin());
      await append(logs, epoch, notes('a', 'b'), within);
      assert.equal(within.ends, 'commit ');
      await logs.holds(notes('a', 'b'));
    }),
    requirement('a refused append rolls back the transaction that it is in', async (logs) => {
      const { epoch } = await logs.begun();
      await logs.other.open(logs.conversation);
      const within = new Watched(await begin());
      await refused(append(logs, epoch, notes('late'), within), 'an append of an earlier epoch');
      assert.equal(within.ends, 'rollback ');
      await logs.holds([]);
    }),
    requirement('entries whose transaction is not committed are not appended without it', async (logs) => {
      const { epoch } = await logs.begun();
      await refused(append(logs, epoch, notes('a'), new Watched(await begin(), 'commit')), 'a lost transaction');
      await logs.holds([]);
    }),
    requirement(
      'entries whose transaction is committed are there, even if its acknowledgement is lost',
      async (logs) => {
        const { epoch } = await logs.begun();
        await append(logs, epoch, notes('a'), new Watched(await begin(), 'acknowledgement'));
        await logs.holds(notes('a'));
      },
    ),
  ];
}
