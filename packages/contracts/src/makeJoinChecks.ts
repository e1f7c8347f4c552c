import assert from 'node:assert/strict';
import type { AppendTransaction, RunEntry } from 'toolwright/conversations';
import type { Awaitable } from 'toolwright/types';
import { requireDurable, makeNotes, assertRefused, type ContractLogs } from './ContractLogs.js';
import { makeChange } from './sharedChecks.js';
import { defineRequirement, type StoreRequirement } from './storeChecks.js';

/** A transaction that records how it ended. */
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

/** @param keepsRuns true for stores that also keep shared sessions */
export function makeJoinChecks(
  begin: () => Awaitable<AppendTransaction>,
  keepsRuns: boolean,
): readonly StoreRequirement[] {
  const append = (logs: ContractLogs, epoch: number, entries: readonly RunEntry[], within: Watched): Promise<void> =>
    logs.store.append({ conversation: logs.conversation, epoch, after: 0 }, entries, within);
  return [
    defineRequirement('an append commits the transaction that it is in', async (logs) => {
      assert.notEqual(logs.store.database, undefined, 'a store whose appends can be joined says on what');
      const { epoch } = await logs.begin();
      const within = new Watched(await begin());
      await append(logs, epoch, makeNotes('a', 'b'), within);
      assert.equal(within.ends, 'commit ');
      await logs.assertHolds(makeNotes('a', 'b'));
    }),
    defineRequirement('a refused append rolls back the transaction that it is in', async (logs) => {
      const { epoch } = await logs.begin();
      await logs.other.open(logs.conversation);
      const within = new Watched(await begin());
      await assertRefused(append(logs, epoch, makeNotes('late'), within), 'an append of an earlier epoch');
      assert.equal(within.ends, 'rollback ');
      await logs.assertHolds([]);
    }),
    defineRequirement('entries whose transaction is not committed are not appended without it', async (logs) => {
      const { epoch } = await logs.begin();
      await assertRefused(
        append(logs, epoch, makeNotes('a'), new Watched(await begin(), 'commit')),
        'a lost transaction',
      );
      await logs.assertHolds([]);
    }),
    defineRequirement('entries of a committed transaction are kept if its acknowledgement is lost', async (logs) => {
      const { epoch } = await logs.begin();
      await append(logs, epoch, makeNotes('a'), new Watched(await begin(), 'acknowledgement'));
      await logs.assertHolds(makeNotes('a'));
    }),
    ...(keepsRuns ? makeSharedJoinChecks(begin) : []),
  ];
}

/** Appends entries to the conversation of a check, with the first change of its session. */
function appendChange(
  { store, conversation, session: name }: ContractLogs,
  epoch: number,
  entries: readonly RunEntry[],
  within: Watched,
): Promise<void> {
  const session = { name, changes: [makeChange(1, 'x')] };
  return store.append({ conversation, epoch, after: 0, session }, entries, within);
}

async function hasChanges({ other, session }: ContractLogs, count: number): Promise<void> {
  assert.equal((await requireDurable(other).sessionChanges(session)).length, count);
}

/** Makes the checks of appends with changes of a shared session in transactions of resources. */
function makeSharedJoinChecks(begin: () => Awaitable<AppendTransaction>): readonly StoreRequirement[] {
  return [
    defineRequirement('changes of a session are committed with the transaction and the entries', async (logs) => {
      const { epoch } = await logs.begin();
      const within = new Watched(await begin());
      await appendChange(logs, epoch, makeNotes('a'), within);
      assert.equal(within.ends, 'commit ');
      await logs.assertHolds(makeNotes('a'));
      await hasChanges(logs, 1);
    }),
    defineRequirement('a refused change rolls back the transaction and the entries (E755)', async (logs) => {
      const { epoch } = await logs.begin();
      const second = await logs.other.open(logs.second);
      const session = { name: logs.session, changes: [makeChange(1, 'x')] };
      await logs.other.append({ conversation: logs.second, epoch: second.epoch, after: 0, session }, []);
      for (const entries of [makeNotes('a'), []]) {
        const within = new Watched(await begin());
        await assertRefused(appendChange(logs, epoch, entries, within), 'a change of an earlier version', 'E755');
        assert.equal(within.ends, 'rollback ');
      }
      await logs.assertHolds([]);
      await hasChanges(logs, 1);
    }),
    defineRequirement('of two transactions that change a session at once, one is committed', async (logs) => {
      const { epoch } = await logs.begin();
      const second = await logs.other.open(logs.second);
      const session = { name: logs.session, changes: [makeChange(1, 'x')] };
      const [one, two] = [new Watched(await begin()), new Watched(await begin())];
      const position = { conversation: logs.second, epoch: second.epoch, after: 0, session };
      const ends = await Promise.allSettled([
        appendChange(logs, epoch, makeNotes('a'), one),
        logs.other.append(position, makeNotes('b'), two),
      ]);
      const lost = ends.filter((end) => end.status === 'rejected');
      assert.equal(lost.length, 1);
      await assertRefused(Promise.reject(lost[0]?.reason as Error), 'the transaction that lost', 'E755');
      const kept = [await logs.other.entries(logs.conversation), await logs.other.entries(logs.second)].flat();
      assert.equal(kept.length, 1);
      await hasChanges(logs, 1);
    }),
    defineRequirement('changes of an uncommitted transaction are not kept', async (logs) => {
      const { epoch } = await logs.begin();
      for (const entries of [makeNotes('a'), []])
        await assertRefused(
          appendChange(logs, epoch, entries, new Watched(await begin(), 'commit')),
          'a lost transaction',
        );
      await logs.assertHolds([]);
      await hasChanges(logs, 0);
    }),
    defineRequirement('changes of a committed transaction are kept if its acknowledgement is lost', async (logs) => {
      const { epoch } = await logs.begin();
      await appendChange(logs, epoch, [], new Watched(await begin(), 'acknowledgement'));
      await hasChanges(logs, 1);
      await logs.assertHolds([]);
    }),
  ];
}
