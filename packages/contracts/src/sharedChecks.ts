import assert from 'node:assert/strict';
import type { RunEntry, SessionDelta, SharedChange } from 'toolwright/conversations';
import type { DurableStore } from '@toolwright/durable';
import { requireDurable, ended, makeNotes, assertRefused, type ContractLogs } from './ContractLogs.js';
import { NO_IDS, defineRequirement, type StoreRequirement } from './storeChecks.js';

/** Creates a change that appends a value to a slice. */
export function makeChange(version: number, value: string): SharedChange {
  return { version, delta: { appended: { '"cart"': [value] } } };
}

/** Creates changes, one for each value, with versions from `first` on. */
function makeChanges(first: number, ...values: readonly string[]): readonly SharedChange[] {
  return values.map((value, index) => makeChange(first + index, value));
}

class Writer {
  readonly store: DurableStore;
  readonly conversation: string;
  readonly #session: string;
  readonly #epoch: number;
  /** The number of entries in the log. */
  count = 0;

  private constructor(store: DurableStore, conversation: string, session: string, epoch: number) {
    this.store = store;
    this.conversation = conversation;
    this.#session = session;
    this.#epoch = epoch;
  }

  static async open({ session }: ContractLogs, store: DurableStore, conversation: string): Promise<Writer> {
    const { epoch } = await store.open(conversation);
    return new Writer(store, conversation, session, epoch);
  }

  /** Appends entries after the first `after` ones, together with changes of the session. */
  async write(entries: readonly RunEntry[], given: readonly SharedChange[], after = this.count): Promise<void> {
    const position = { conversation: this.conversation, epoch: this.#epoch, after };
    await this.store.append({ ...position, session: { name: this.#session, changes: given } }, entries);
    this.count = after + entries.length;
  }

  async assertHolds(entries: readonly RunEntry[], message: string): Promise<void> {
    assert.deepEqual(await this.store.entries(this.conversation), entries, message);
  }
}

/** Opens two conversations over one session, each through its own store. */
async function openTwoWriters(logs: ContractLogs): Promise<readonly [Writer, Writer]> {
  const writers = [
    await Writer.open(logs, requireDurable(logs.store), logs.conversation),
    await Writer.open(logs, requireDurable(logs.other), logs.second),
  ] as const;
  return writers;
}

/** Asserts that both stores have these changes. */
async function assertSessionHolds(
  logs: ContractLogs,
  expected: readonly SharedChange[],
  message?: string,
): Promise<void> {
  for (const store of [logs.store, logs.other])
    assert.deepEqual(await requireDurable(store).sessionChanges(logs.session), expected, message);
}

const versionChecks: readonly StoreRequirement[] = [
  defineRequirement('changes of a shared session are kept with the entries, in order', async (logs) => {
    await assertSessionHolds(logs, []);
    const [one, two] = await openTwoWriters(logs);
    await one.write(makeNotes('a'), makeChanges(1, 'x'));
    await two.write(makeNotes('b'), makeChanges(2, 'y', 'z'));
    await two.write([], makeChanges(4, 'no entry'));
    await one.write([...makeNotes('c'), ended], makeChanges(5, 'last'));
    await one.assertHolds([...makeNotes('a', 'c'), ended], 'the first log');
    await two.assertHolds(makeNotes('b'), 'the second log');
    const all = makeChanges(1, 'x', 'y', 'z', 'no entry', 'last');
    await assertSessionHolds(logs, all);
    for (const store of [logs.store, logs.other]) {
      for (let after = 0; after <= 6; after++)
        assert.deepEqual(await requireDurable(store).sessionChanges(logs.session, after), all.slice(after));
    }
  }),
  defineRequirement('a change of an earlier version is refused with its entries (E755)', async (logs) => {
    const [one, two] = await openTwoWriters(logs);
    await one.write(makeNotes('a'), makeChanges(1, 'x', 'y'));
    for (const stale of [makeChanges(1, 'z'), makeChanges(2, 'y'), makeChanges(2, 'z', 'z')])
      await assertRefused(two.write(makeNotes('b'), stale), 'a change of an earlier version', 'E755');
    await two.assertHolds([], 'an entry of a refused append was kept');
    await assertSessionHolds(logs, makeChanges(1, 'x', 'y'), 'a refused change was kept');
    await two.write(makeNotes('b'), makeChanges(3, 'z'));
    await two.assertHolds(makeNotes('b'), 'the append with the new version');
    await assertSessionHolds(logs, makeChanges(1, 'x', 'y', 'z'));
  }),
  defineRequirement('changes with a gap are refused with their entries (E755)', async (logs) => {
    const [one] = await openTwoWriters(logs);
    const gaps = [
      makeChanges(2, 'x'),
      makeChanges(0, 'x'),
      makeChanges(-1, 'x'),
      makeChanges(1.5, 'x'),
      makeChanges(Number.NaN, 'x'),
    ];
    const within = [makeChange(1, 'x'), makeChange(3, 'z')];
    const twice = [makeChange(1, 'x'), makeChange(1, 'x')];
    for (const given of [...gaps, within, twice]) {
      const versions = given.map(({ version }) => version).join(', ');
      await assertRefused(one.write(makeNotes('a'), given), `changes ${versions}`, 'E755');
      await assertRefused(one.write([], given), `changes ${versions} without an entry`, 'E755');
    }
    await one.assertHolds([], 'an entry of a refused append was kept');
    await assertSessionHolds(logs, []);
  }),
  defineRequirement('changes of an append that is refused are not kept (E709)', async (logs) => {
    const [one] = await openTwoWriters(logs);
    await one.write(makeNotes('a'), makeChanges(1, 'x'));
    await assertRefused(one.write(makeNotes('b'), makeChanges(2, 'y'), 3), 'an append after a gap of the log');
    await assertRefused(one.write(makeNotes('b'), makeChanges(2, 'y'), 0), 'an append at the place of other entries');
    await logs.other.open(logs.conversation);
    await assertRefused(one.write(makeNotes('b'), makeChanges(2, 'y'), 1), 'an append of an earlier epoch');
    await assertRefused(one.write([], makeChanges(2, 'y'), 1), 'changes of an earlier epoch');
    await one.assertHolds(makeNotes('a'), 'an entry of a refused append was kept');
    await assertSessionHolds(logs, makeChanges(1, 'x'), 'a change of a refused append was kept');
  }),
  defineRequirement('a change that is not JSON is refused with its entries', async (logs) => {
    const [one] = await openTwoWriters(logs);
    const circle: Record<string, unknown> = {};
    circle['appended'] = circle;
    const odd = [makeChange(1, 'x'), { version: 2, delta: circle as unknown as SessionDelta }];
    await assert.rejects(one.write(makeNotes('a'), odd));
    await one.assertHolds([], 'an entry of a refused append was kept');
    await assertSessionHolds(logs, []);
  }),
];

const raceChecks: readonly StoreRequirement[] = [
  defineRequirement('an append with changes that is repeated is there once', async (logs) => {
    const [one, two] = await openTwoWriters(logs);
    await one.write(makeNotes('a'), makeChanges(1, 'x'));
    await one.write(makeNotes('a'), makeChanges(1, 'x'), 0);
    await one.write([], makeChanges(2, 'y', 'z'));
    await one.write([], makeChanges(2, 'y', 'z'));
    await two.write(makeNotes('b'), makeChanges(4, 'later'));
    await one.write(makeNotes('a'), makeChanges(1, 'x'), 0);
    await one.write([], makeChanges(2, 'y', 'z'), 1);
    await one.assertHolds(makeNotes('a'), 'the log');
    await assertSessionHolds(logs, makeChanges(1, 'x', 'y', 'z', 'later'));
    await assertRefused(
      one.write(makeNotes('a'), makeChanges(1, 'other'), 0),
      'the same entries with other changes',
      'E755',
    );
    await assertRefused(one.write([], makeChanges(2, 'y', 'other'), 1), 'other changes at the same versions', 'E755');
    await assertSessionHolds(logs, makeChanges(1, 'x', 'y', 'z', 'later'));
  }),
  defineRequirement('the same change of another writer is not a repetition (E755)', async (logs) => {
    const [one, two] = await openTwoWriters(logs);
    await one.write([], makeChanges(1, 'x'));
    await assertRefused(two.write([], makeChanges(1, 'x')), 'the same change of another conversation', 'E755');
    const again = await Writer.open(logs, requireDurable(logs.other), logs.conversation);
    await assertRefused(again.write([], makeChanges(1, 'x')), 'the same change of a later writer', 'E755');
    await assertSessionHolds(logs, makeChanges(1, 'x'));
  }),
  defineRequirement('of two conversations that change a session at once, one wins', async (logs) => {
    const writers = await openTwoWriters(logs);
    for (let version = 1; version <= 10; version++) {
      const before = writers.map(({ count }) => count);
      // The same change, so that only the writer shows which one was kept.
      const ends = await Promise.allSettled(
        writers.map((writer) => writer.write(makeNotes(String(version)), makeChanges(version, 'x'))),
      );
      const won = ends.map(({ status }) => status === 'fulfilled');
      assert.deepEqual([...won].sort(), [false, true], `version ${String(version)}`);
      for (const [index, writer] of writers.entries()) {
        const end = ends[index];
        if (end?.status === 'rejected')
          await assertRefused(Promise.reject(end.reason as Error), 'the one that lost', 'E755');
        const added = (await writer.store.entries(writer.conversation)).length - (before[index] ?? 0);
        assert.equal(added, won[index] === true ? 1 : 0, 'entries are kept with their change, or not at all');
      }
    }
    await assertSessionHolds(logs, makeChanges(1, ...Array.from({ length: 10 }, () => 'x')));
  }),
];

/** Returns the change that stands for all changes of a session that was cleared. */
function makeClearing(version: number): SharedChange {
  return { version, delta: { cleared: true } };
}

const clearChecks: readonly StoreRequirement[] = [
  defineRequirement(
    'a session that is cleared keeps one change without content, which conversations notice',
    async (logs) => {
      const [one, two] = await openTwoWriters(logs);
      const store = requireDurable(logs.other);
      await store.clearSession(logs.session);
      await assertSessionHolds(logs, [], 'a session without changes was cleared');
      const many = Array.from({ length: 1_500 }, (_none, index) => String(index));
      await one.write(makeNotes('a'), makeChanges(1, ...many));
      await store.clearSession(logs.session);
      await assertSessionHolds(logs, [makeClearing(1_501)]);
      for (const after of [1, 1_499, 1_500])
        assert.deepEqual(
          await store.sessionChanges(logs.session, after),
          [makeClearing(1_501)],
          `after ${String(after)}`,
        );
      assert.deepEqual(await store.sessionChanges(logs.session, 1_501), []);
      await one.assertHolds(makeNotes('a'), 'the log of a session that was cleared');
      for (const stale of [makeChanges(1, 'new'), makeChanges(1_501, 'y')])
        await assertRefused(one.write(makeNotes('b'), stale), 'a change of state that was cleared', 'E755');
      await assertRefused(one.write(makeNotes('a'), makeChanges(1, ...many), 0), 'a repeated append', 'E755');
      await two.write(makeNotes('b'), makeChanges(1_502, 'new'));
      await assertSessionHolds(logs, [makeClearing(1_501), makeChange(1_502, 'new')]);
      assert.deepEqual(await store.sessionChanges(logs.session, 1_501), makeChanges(1_502, 'new'));
      await store.clearSession(logs.session);
      await assertSessionHolds(logs, [makeClearing(1_503)]);
    },
  ),
  defineRequirement('a session is cleared before or after a change at the same time, never in part', async (logs) => {
    const [one] = await openTwoWriters(logs);
    const store = requireDurable(logs.other);
    for (let version = 1, round = 0; round < 10; round++) {
      await one.write(makeNotes(`before ${String(round)}`), makeChanges(version, 'x', 'y'));
      const { count } = one;
      const [cleared, written] = await Promise.allSettled([
        store.clearSession(logs.session),
        one.write(makeNotes(`at once ${String(round)}`), makeChanges(version + 2, 'z')),
      ]);
      assert.equal(cleared.status, 'fulfilled');
      if (written.status === 'rejected')
        await assertRefused(Promise.reject(written.reason as Error), 'a change that lost', 'E755');
      const isWritten = written.status === 'fulfilled';
      assert.equal((await one.store.entries(one.conversation)).length, count + (isWritten ? 1 : 0));
      version += isWritten ? 3 : 2;
      await assertSessionHolds(logs, [makeClearing(version)]);
      version++;
    }
  }),
];

const nameChecks: readonly StoreRequirement[] = [
  defineRequirement('a session is deleted whole, and can be begun again', async (logs) => {
    const [one, two] = await openTwoWriters(logs);
    const store = requireDurable(logs.other);
    await store.deleteSession(logs.session);
    // More rows than databases delete recursively.
    const many = Array.from({ length: 1_500 }, (_none, index) => String(index));
    await one.write(makeNotes('a'), makeChanges(1, ...many));
    await assertSessionHolds(logs, makeChanges(1, ...many));
    await store.deleteSession(logs.session);
    await assertSessionHolds(logs, []);
    await one.assertHolds(makeNotes('a'), 'the log of a session that was deleted');
    await assertRefused(
      one.write(makeNotes('b'), makeChanges(1_501, 'y')),
      'a change of a session that was deleted',
      'E755',
    );
    await two.write(makeNotes('b'), makeChanges(1, 'new'));
    await assertSessionHolds(logs, makeChanges(1, 'new'));
  }),
  defineRequirement('a session outlives its conversations', async (logs) => {
    const [one] = await openTwoWriters(logs);
    const { records } = requireDurable(logs.store);
    await records.create({
      id: logs.conversation,
      conversation: logs.conversation,
      input: null,
      messages: [],
      trace: null,
    });
    await one.write(makeNotes('a'), makeChanges(1, 'x'));
    await records.change(logs.conversation, { status: ['queued'] }, { status: 'answered' });
    await records.prune(new Date(Date.now() + 60_000));
    assert.deepEqual(await logs.store.entries(logs.conversation), []);
    await logs.store.delete(logs.second);
    await assertSessionHolds(logs, makeChanges(1, 'x'));
  }),
  defineRequirement('sessions are kept apart by name and tenant', async (logs) => {
    const stores = [
      requireDurable(logs.store),
      logs.ofTenant(`${logs.conversation} a`),
      logs.ofTenant(`${logs.conversation} b`),
    ];
    for (const [index, store] of stores.entries()) {
      assert.deepEqual(await store.sessionChanges(logs.session), []);
      const writer = await Writer.open(logs, store, logs.conversation);
      await writer.write(makeNotes('a'), makeChanges(1, String(index)));
    }
    const [mine, other, third] = stores as [DurableStore, DurableStore, DurableStore];
    await third.clearSession(`${logs.session} of another name`);
    await other.clearSession(logs.session);
    assert.deepEqual(await other.sessionChanges(logs.session), [makeClearing(2)]);
    await other.deleteSession(logs.session);
    assert.deepEqual(await other.sessionChanges(logs.session), []);
    assert.deepEqual(await mine.sessionChanges(logs.session), makeChanges(1, '0'));
    assert.deepEqual(await third.sessionChanges(logs.session), makeChanges(1, '2'));
    const names = ['../x', 'A', 'a', 'ä', 'a\u0308', '\0', '\ud800', "'; DROP TABLE runs; --", '__proto__', '1', '%'];
    for (const name of names) {
      const { epoch } = await mine.open(logs.second);
      const session = { name: `${logs.session} ${name}`, changes: makeChanges(1, name) };
      await mine.append({ conversation: logs.second, epoch, after: 0, session }, []);
    }
    for (const name of names) {
      const full = `${logs.session} ${name}`;
      assert.deepEqual(await requireDurable(logs.other).sessionChanges(full), makeChanges(1, name));
      await mine.deleteSession(full);
      assert.deepEqual(await requireDurable(logs.other).sessionChanges(full), []);
    }
  }),
  defineRequirement(
    'a name of a session that is not a text of at least one character is refused (E709)',
    async (logs) => {
      const store = requireDurable(logs.store);
      const { epoch } = await logs.begin();
      for (const odd of NO_IDS) {
        const name = odd as string;
        const session = { name, changes: makeChanges(1, 'x') };
        const calls: readonly (() => Promise<unknown>)[] = [
          () => store.append({ conversation: logs.conversation, epoch, after: 0, session }, makeNotes('a')),
          () => store.sessionChanges(name),
          () => store.clearSession(name),
          () => store.deleteSession(name),
        ];
        // A store may throw at once, or reject.
        for (const call of calls) await assertRefused((async () => call())(), `a name that is a ${typeof odd}`);
      }
      await logs.assertHolds([]);
    },
  ),
];

/** Requirements for sessions that several conversations share. */
export const sharedChecks: readonly StoreRequirement[] = [
  ...versionChecks,
  ...raceChecks,
  ...clearChecks,
  ...nameChecks,
];
