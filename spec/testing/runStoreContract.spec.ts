import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEntry, LogPosition, OpenLog, QuestionReply } from 'toolwright/conversations';
import { runStoreContract } from '@toolwright/contracts';
import { MemoryRuns, newMemory, type Memory } from '../../packages/durable/spec/support/MemoryRuns';
import { DurableMemory } from '../../packages/durable/spec/support/DurableMemory';
import { drivers, sqliteConnection } from '../../packages/durable/spec/support/sqliteConnection';
import { sqliteRuns } from '../../packages/durable/spec/support/sqliteRuns';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-contract-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

type Log = Parameters<MemoryRuns['mayWrite']>[0];

/** The names of the checks that a store fails. */
async function failuresOf(store: new (memory: Memory) => MemoryRuns): Promise<readonly string[]> {
  const memory = newMemory();
  const failed: string[] = [];
  for (const { name, run } of runStoreContract({ open: () => new store(memory) }))
    await run().catch(() => failed.push(name));
  return failed;
}

describe.each(drivers)('SqliteRuns with the driver %s', (driver) => {
  const reversed = (text: string): string => [...Buffer.from(text)].reverse().join(' ');
  const restored = (text: string): string => Buffer.from(text.split(' ').map(Number).reverse()).toString();

  describe.each([
    ['', {}],
    [' with encryption', { encrypt: reversed, decrypt: restored }],
  ])('keeps the contract of stores%s', (name, options) => {
    const path = join(folder, `${driver.replace(':', '-')}${name}.db`);
    // As two processes have it: a check opens one of each.
    const stores = [sqliteRuns(path, { ...options, driver }), sqliteRuns(path, { ...options, driver })] as const;
    let opened = 0;
    const kit = { open: () => stores[opened++ % 2 === 0 ? 0 : 1], keepsRuns: true };
    for (const { name: check, run } of runStoreContract(kit)) test(check, run);

    test('the contract leaves no conversation behind', async () => {
      await Promise.all(stores.map((store) => store.close()));
      const file = sqliteConnection(path);
      for (const table of ['logs', 'entries', 'questions', 'session_changes'])
        expect([table, file.prepare(`SELECT * FROM ${table}`).all()]).toEqual([table, []]);
      file.close();
    });
  });
});

describe('a store of runs in memory keeps the contract', () => {
  const { storage } = new DurableMemory();
  const kit = { open: () => new DurableMemory(storage), keepsRuns: true };
  for (const { name, run } of runStoreContract(kit)) test(name, run);
});

describe('the contract of stores', () => {
  test('the contract of stores has checks with names of their own, and closes what it opens', async () => {
    const memory = newMemory();
    let open = 0;
    const checks = runStoreContract({
      open: () => (open++, new MemoryRuns(memory)),
      close: () => {
        open--;
      },
    });
    expect(checks.length).toBeGreaterThan(15);
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
    for (const { run } of checks) await run();
    expect(open).toBe(0);
    expect(memory.logs.size).toBe(0);
  });

  test('the contract of stores is met by a store in memory', async () => {
    expect(await failuresOf(MemoryRuns)).toEqual([]);
  });

  class Fenceless extends MemoryRuns {
    protected override mayWrite(): boolean {
      return true;
    }
  }
  class EpochsFromTheFirst extends MemoryRuns {
    override delete(conversation: string): Promise<void> {
      this.memory.epochs = 0;
      return super.delete(conversation);
    }
  }
  class SameEpoch extends MemoryRuns {
    protected override nextEpoch(): number {
      return 1;
    }
  }
  class HalfOfABatch extends MemoryRuns {
    protected override write(log: Log, texts: readonly string[]): void {
      super.write(log, texts.length > 100 ? texts.slice(0, texts.length / 2) : texts);
    }
  }
  class OneByOne extends MemoryRuns {
    override async append(position: LogPosition, entries: readonly RunEntry[]): Promise<void> {
      for (const [index, entry] of entries.entries())
        await super.append({ ...position, after: position.after + index }, [entry]);
      if (entries.length === 0) await super.append(position, entries);
    }
  }
  class Repeating extends MemoryRuns {
    protected override repeated(log: Log, _after: number, texts: readonly string[]): void {
      this.write(log, texts);
    }
  }
  class Overlooking extends MemoryRuns {
    protected override repeated(): void {
      // Takes everything at an earlier place for a repetition.
    }
  }
  class StrictOnRepetition extends MemoryRuns {
    protected override repeated(): void {
      throw new Error('a duplicate');
    }
  }
  class TwoReplies extends MemoryRuns {
    protected override closes(entry: RunEntry): boolean {
      return entry.kind === 'end';
    }
  }
  class LastReply extends MemoryRuns {
    override async reply(conversation: string, question: string, reply: QuestionReply): Promise<'taken' | 'late'> {
      // Reads, thinks, and writes.
      const entries = await this.entries(conversation);
      if (!entries.some((entry) => entry.kind === 'reply' && entry.question === question))
        return super.reply(conversation, question, reply).then(() => 'taken');
      return super.reply(conversation, question, reply);
    }
  }
  class Deaf extends MemoryRuns {
    protected override closes(entry: RunEntry, { id }: RunEntry<'question'>): boolean {
      return entry.kind === 'reply' && entry.question === id;
    }
  }
  class Undemanding extends MemoryRuns {
    protected override fits(): boolean {
      return true;
    }
  }
  class Sorting extends MemoryRuns {
    protected override write(log: Log, texts: readonly string[]): void {
      super.write(log, texts.map(sorted));
    }
  }
  class Forgetful extends MemoryRuns {
    readonly #own = newMemory();

    override async open(conversation: string): Promise<OpenLog> {
      const { epoch } = await super.open(conversation);
      const entries = await new MemoryRuns(this.#own).entries(conversation);
      return { epoch, entries };
    }
  }
  class IgnoringCase extends MemoryRuns {
    override open(conversation: string): Promise<OpenLog> {
      return super.open(conversation.toLowerCase());
    }
    override append(position: LogPosition, entries: readonly RunEntry[]): Promise<void> {
      return super.append({ ...position, conversation: position.conversation.toLowerCase() }, entries);
    }
    override entries(conversation: string, after?: number): Promise<readonly RunEntry[]> {
      return super.entries(conversation.toLowerCase(), after);
    }
  }

  class Indifferent extends MemoryRuns {
    override entries(conversation: unknown, after?: number): Promise<readonly RunEntry[]> {
      return super.entries(String(conversation), after);
    }
  }

  test.each<[string, new (memory: Memory) => MemoryRuns, string]>([
    ['takes anything for an id', Indifferent, 'an id that is not a text of at least one character is refused (E709)'],
    ['forgets the fence', Fenceless, 'a writer shuts out every earlier one'],
    ['restarts epochs', EpochsFromTheFirst, 'a log that was deleted is empty, and can be begun again'],
    [
      'gives every writer the same epoch',
      SameEpoch,
      'of writers that open at once, each has an epoch of its own, and one can write',
    ],
    ['loses half of a large batch', HalfOfABatch, 'a large entry, and many in one append, are whole'],
    ['writes a batch entry by entry', OneByOne, 'an append is there whole or not at all'],
    [
      'writes a batch entry by entry',
      OneByOne,
      'an append beside the opening of another writer is seen by it, or refused',
    ],
    [
      'writes a repetition again',
      Repeating,
      'an append that is repeated is there once, since its acknowledgement may have been lost',
    ],
    [
      'refuses a repetition',
      StrictOnRepetition,
      'an append that is repeated is there once, since its acknowledgement may have been lost',
    ],
    ['takes other entries for a repetition', Overlooking, 'an append at the place of others is refused'],
    ['takes other entries for a repetition', Overlooking, 'of two appends to one place, one counts'],
    ['accepts two replies', TwoReplies, 'the first reply to a question is taken, and every later one comes too late'],
    ['accepts two replies at once', LastReply, 'of replies that come at once, one is taken'],
    [
      'takes replies for calls that have ended',
      Deaf,
      'a reply to a run that has ended, or to a call that has, comes too late',
    ],
    ['takes any reply (E735)', Undemanding, 'a reply of a kind that the question does not take is refused'],
    ['sorts keys', Sorting, 'entries are read as they were appended, in order, here and in another process'],
    ['opens without what others wrote', Forgetful, 'a writer shuts out every earlier one'],
    ['ignores case', IgnoringCase, 'conversations are kept apart, whatever their ids are'],
  ])('the contract of stores is not met by one that %s', async (_name, store, expected) => {
    expect(await failuresOf(store)).toContain(expected);
  });
});

describe('the contract of shared sessions', () => {
  type Append = Parameters<DurableMemory['append']>;
  type Change = Parameters<DurableMemory['changeSession']>;

  class EntriesFirst extends DurableMemory {
    override async append(...[{ session, ...position }, entries]: Append): Promise<void> {
      await super.append(position, entries);
      await super.append({ ...position, after: position.after + entries.length, session }, []);
    }
  }
  class ChangesFirst extends DurableMemory {
    override async append(...[position, entries]: Append): Promise<void> {
      const { session: _session, ...rest } = position;
      await super.append(position, []);
      await super.append(rest, entries);
    }
  }
  class WithGaps extends DurableMemory {
    protected override changeSession(...[position, append]: Change): void {
      const { session } = position;
      const known = this.memory.sessions.get(session?.name ?? '')?.length ?? 0;
      const [first] = session?.changes ?? [];
      if (session === undefined || first === undefined || first.version <= known)
        return super.changeSession(position, append);
      const changes = session.changes.map(({ delta }, index) => ({ version: known + 1 + index, delta }));
      return super.changeSession({ ...position, session: { ...session, changes } }, append);
    }
  }
  class LastWriterWins extends DurableMemory {
    protected override changeSession(...[position, append]: Change): void {
      const { session } = position;
      const [first] = session?.changes ?? [];
      const known = this.memory.sessions.get(session?.name ?? '');
      if (session !== undefined && first !== undefined && known !== undefined && first.version >= 1)
        this.memory.sessions.set(session.name, known.slice(0, first.version - 1));
      super.changeSession(position, append);
    }
  }
  class AnyWriter extends DurableMemory {
    protected override changeSession(...[position, append]: Change): void {
      super.changeSession({ ...position, conversation: 'any', epoch: 0 }, append);
    }
  }
  class StrictOnRepetition extends DurableMemory {
    protected override changeSession(...[position, append]: Change): void {
      super.changeSession(position, { ...append, isRepeated: false });
    }
  }
  class OneForAllTenants extends DurableMemory {
    override sessionChanges(name: string, after?: number): ReturnType<DurableMemory['sessionChanges']> {
      return this.tenant === null
        ? super.sessionChanges(name, after)
        : this.forTenant(null).sessionChanges(name, after);
    }
    override forTenant(tenant: string | null): OneForAllTenants {
      return new OneForAllTenants(this.storage, tenant);
    }
  }
  class Keeping extends DurableMemory {
    override deleteSession(): Promise<void> {
      return Promise.resolve();
    }
  }
  class FromTheFirst extends DurableMemory {
    override sessionChanges(name: string): ReturnType<DurableMemory['sessionChanges']> {
      return super.sessionChanges(name);
    }
  }
  class WithItsConversation extends DurableMemory {
    override async delete(conversation: string): Promise<void> {
      await super.delete(conversation);
      for (const [name, changes] of this.memory.sessions)
        if (changes.some((change) => change.conversation === conversation)) this.memory.sessions.delete(name);
    }
  }

  test.each<[string, new (storage: DurableMemory['storage']) => DurableMemory, string]>([
    ['keeps entries without their change', EntriesFirst, 'a change of an earlier version is refused'],
    ['keeps changes without their entries', ChangesFirst, 'changes of an append that is refused are not kept'],
    ['takes changes with a gap', WithGaps, 'changes with a gap are refused'],
    ['lets the last writer win', LastWriterWins, 'a change of an earlier version is refused'],
    ['lets two writers win', AnyWriter, 'the same change of another writer is not a repetition'],
    ['refuses a repetition', StrictOnRepetition, 'an append with changes that is repeated is there once'],
    ['has one session for all tenants', OneForAllTenants, 'sessions are kept apart by name and tenant'],
    ['deletes no session', Keeping, 'a session is deleted whole'],
    ['reads from the first change on', FromTheFirst, 'changes of a shared session are kept with the entries'],
    ['deletes sessions with conversations', WithItsConversation, 'a session outlives its conversations'],
  ])('the contract of shared sessions is not met by one that %s', async (_what, Store, expected) => {
    const { storage } = new DurableMemory();
    const checks = runStoreContract({ open: () => new Store(storage), keepsRuns: true });
    const check = checks.find(({ name }) => name.startsWith(expected));
    expect(check).toBeDefined();
    await expect(check?.run()).rejects.toThrow();
  });
});

/** As some databases store JSON. */
function sorted(text: string): string {
  return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
