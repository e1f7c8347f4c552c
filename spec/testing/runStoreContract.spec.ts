import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEntry, OpenLog, QuestionReply } from 'toolwright/conversations';
import { runStoreContract } from '@toolwright/contracts';
import { MemoryRuns } from '@toolwright/durable';
import { drivers, sqliteConnection } from '../../packages/durable/spec/support/sqliteConnection';
import { sqliteRuns } from '../../packages/durable/spec/support/sqliteRuns';

type MemoryStorage = MemoryRuns['memory']['storage'];

const folder = mkdtempSync(join(tmpdir(), 'toolwright-contract-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

type Append = Parameters<MemoryRuns['append']>;
type Reply = ReturnType<MemoryRuns['reply']>;

/** The names of the checks that a store fails. */
async function failuresOf(Store: new (storage: MemoryStorage, tenant: null) => MemoryRuns): Promise<readonly string[]> {
  const { storage } = new MemoryRuns().memory;
  const failed: string[] = [];
  for (const { name, run } of runStoreContract({ open: () => new Store(storage, null) }))
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
      for (const table of ['logs', 'entries', 'questions', 'session_changes', 'inbox', 'chats'])
        expect([table, file.prepare(`SELECT * FROM ${table}`).all()]).toEqual([table, []]);
      file.close();
    });
  });
});

describe('a store of runs in memory keeps the contract', () => {
  const store = new MemoryRuns();
  const kit = { open: () => store.forTenant(null), keepsRuns: true };
  for (const { name, run } of runStoreContract(kit)) test(name, run);
});

describe('the contract of stores', () => {
  test('the contract of stores has checks with names of their own, and closes what it opens', async () => {
    const store = new MemoryRuns();
    let open = 0;
    const checks = runStoreContract({
      open: () => (open++, store.forTenant(null)),
      close: () => {
        open--;
      },
    });
    expect(checks.length).toBeGreaterThan(15);
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
    for (const { run } of checks) await run();
    expect(open).toBe(0);
    expect(await store.list()).toEqual([]);
  });

  test('the contract of stores is met by a store in memory', async () => {
    expect(await failuresOf(MemoryRuns)).toEqual([]);
  });

  class Fenceless extends MemoryRuns {
    override append(...[position, entries]: Append): Promise<void> {
      const { epoch = position.epoch } = this.memory.logs.get(position.conversation) ?? {};
      return super.append({ ...position, epoch }, entries);
    }
  }
  class EpochsFromTheFirst extends MemoryRuns {
    override delete(conversation: string): Promise<void> {
      this.memory.epochs = 0;
      return super.delete(conversation);
    }
  }
  class SameEpoch extends MemoryRuns {
    override open(conversation: string): Promise<OpenLog> {
      this.memory.epochs = 0;
      return super.open(conversation);
    }
  }
  class HalfOfABatch extends MemoryRuns {
    override append(...[position, entries]: Append): Promise<void> {
      return super.append(position, entries.length > 100 ? entries.slice(0, entries.length / 2) : entries);
    }
  }
  class OneByOne extends MemoryRuns {
    override async append(...[position, entries]: Append): Promise<void> {
      for (const [index, entry] of entries.entries())
        await super.append({ ...position, after: position.after + index }, [entry]);
      if (entries.length === 0) await super.append(position, entries);
    }
  }
  /** Calls `repeat` for an append at the place of earlier entries. */
  abstract class OnRepetition extends MemoryRuns {
    override async append(...[position, entries]: Append): Promise<void> {
      const { length } = this.memory.readEntries(position.conversation);
      return position.after < length ? this.repeat(position, entries, length) : super.append(position, entries);
    }
    protected abstract repeat(...given: [...Append, number]): Promise<void>;
  }
  class Repeating extends OnRepetition {
    protected repeat(...[position, entries, length]: [...Append, number]): Promise<void> {
      return super.append({ ...position, after: length }, entries);
    }
  }
  class Overlooking extends OnRepetition {
    protected repeat(): Promise<void> {
      return Promise.resolve();
    }
  }
  class StrictOnRepetition extends OnRepetition {
    protected repeat(): Promise<void> {
      return Promise.reject(new Error('a duplicate'));
    }
  }
  class TwoReplies extends MemoryRuns {
    override async reply(conversation: string, question: string, reply: QuestionReply): Reply {
      await super.reply(conversation, question, reply);
      return 'taken';
    }
  }
  class LastReply extends MemoryRuns {
    override async reply(conversation: string, question: string, reply: QuestionReply): Reply {
      // Reads, thinks, and writes.
      const entries = await this.entries(conversation);
      const taken = await super.reply(conversation, question, reply);
      return entries.some((entry) => entry.kind === 'reply' && entry.question === question) ? taken : 'taken';
    }
  }
  class Undemanding extends MemoryRuns {
    override reply(conversation: string, question: string, reply: QuestionReply): Reply {
      return super.reply(conversation, question, reply).catch((error: unknown) => {
        if ((error as { readonly code?: string }).code === 'E735') return 'taken';
        throw error;
      });
    }
  }
  class Sorting extends MemoryRuns {
    override append(...[position, entries]: Append): Promise<void> {
      return super.append(
        position,
        entries.map((entry) => JSON.parse(sorted(JSON.stringify(entry))) as RunEntry),
      );
    }
  }
  class Forgetful extends MemoryRuns {
    override async open(conversation: string): Promise<OpenLog> {
      const { epoch } = await super.open(conversation);
      return { epoch, entries: [] };
    }
  }
  class IgnoringCase extends MemoryRuns {
    override open(conversation: string): Promise<OpenLog> {
      return super.open(conversation.toLowerCase());
    }
    override append(...[position, entries]: Append): Promise<void> {
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

  test.each<[string, new (storage: MemoryStorage, tenant: null) => MemoryRuns, string]>([
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
      LastReply,
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
  type Shared = NonNullable<Append[0]['session']>;
  type Known = NonNullable<ReturnType<MemoryRuns['memory']['sessions']['get']>>;

  class EntriesFirst extends MemoryRuns {
    override async append(...[{ session, ...position }, entries]: Append): Promise<void> {
      await super.append(position, entries);
      await super.append({ ...position, after: position.after + entries.length, session }, []);
    }
  }
  class ChangesFirst extends MemoryRuns {
    override async append(...[position, entries]: Append): Promise<void> {
      const { session: _session, ...rest } = position;
      await super.append(position, []);
      await super.append(rest, entries);
    }
  }
  /** Prepares the memory, or changes the position, before an append with changes. */
  abstract class WithChanges extends MemoryRuns {
    override append(...[position, entries]: Append): Promise<void> {
      const { session } = position;
      const known = this.memory.sessions.get(session?.name ?? '') ?? [];
      const first = session?.changes[0]?.version;
      if (session === undefined || first === undefined) return super.append(position, entries);
      return super.append({ ...position, session: this.prepare(session, known, position) }, entries);
    }
    protected abstract prepare(session: Shared, known: Known, position: Append[0]): Shared;
  }
  class WithGaps extends WithChanges {
    protected prepare(session: Shared, known: Known): Shared {
      if ((session.changes[0]?.version ?? 0) <= known.length) return session;
      const changes = session.changes.map(({ delta }, index) => ({ version: known.length + 1 + index, delta }));
      return { ...session, changes };
    }
  }
  class LastWriterWins extends WithChanges {
    protected prepare(session: Shared, known: Known): Shared {
      const first = session.changes[0]?.version ?? 0;
      if (first >= 1) this.memory.sessions.set(session.name, known.slice(0, first - 1));
      return session;
    }
  }
  class AnyWriter extends WithChanges {
    protected prepare(session: Shared, known: Known, { conversation, epoch }: Append[0]): Shared {
      const mine = known.map(({ version, delta }) => ({ version, delta, conversation, epoch }));
      this.memory.sessions.set(session.name, mine);
      return session;
    }
  }
  class StrictOnRepetition extends WithChanges {
    protected prepare(session: Shared, known: Known): Shared {
      if ((session.changes[0]?.version ?? 0) <= known.length) throw new Error('a duplicate');
      return session;
    }
  }
  class OneForAllTenants extends MemoryRuns {
    override sessionChanges(name: string, after?: number): ReturnType<MemoryRuns['sessionChanges']> {
      return this.tenant === null
        ? super.sessionChanges(name, after)
        : this.forTenant(null).sessionChanges(name, after);
    }
    override forTenant(tenant: string | null): OneForAllTenants {
      return new OneForAllTenants(this.memory.storage, tenant);
    }
  }
  class Keeping extends MemoryRuns {
    override deleteSession(): Promise<void> {
      return Promise.resolve();
    }
  }
  class Uncleared extends MemoryRuns {
    override clearSession(): Promise<void> {
      return Promise.resolve();
    }
  }
  class ClearedWithoutTrace extends MemoryRuns {
    override clearSession(name: string): Promise<void> {
      return this.deleteSession(name);
    }
  }
  class FromTheFirst extends MemoryRuns {
    override sessionChanges(name: string): ReturnType<MemoryRuns['sessionChanges']> {
      return super.sessionChanges(name);
    }
  }
  class WithItsConversation extends MemoryRuns {
    override async sessionChanges(name: string, after?: number): ReturnType<MemoryRuns['sessionChanges']> {
      const { logs, sessions } = this.memory;
      const isKept = sessions.get(name)?.some(({ conversation }) => logs.has(conversation)) === true;
      return isKept ? super.sessionChanges(name, after) : [];
    }
  }

  test.each<[string, new (storage: MemoryStorage, tenant: null) => MemoryRuns, string]>([
    ['keeps entries without their change', EntriesFirst, 'a change of an earlier version is refused'],
    ['keeps changes without their entries', ChangesFirst, 'changes of an append that is refused are not kept'],
    ['takes changes with a gap', WithGaps, 'changes with a gap are refused'],
    ['lets the last writer win', LastWriterWins, 'a change of an earlier version is refused'],
    ['lets two writers win', AnyWriter, 'the same change of another writer is not a repetition'],
    ['refuses a repetition', StrictOnRepetition, 'an append with changes that is repeated is there once'],
    ['has one session for all tenants', OneForAllTenants, 'sessions are kept apart by name and tenant'],
    ['deletes no session', Keeping, 'a session is deleted whole'],
    ['clears no session', Uncleared, 'a session is cleared before or after'],
    [
      'leaves no trace of a session that was cleared',
      ClearedWithoutTrace,
      'a session that is cleared keeps one change',
    ],
    ['reads from the first change on', FromTheFirst, 'changes of a shared session are kept with the entries'],
    ['deletes sessions with conversations', WithItsConversation, 'a session outlives its conversations'],
  ])('the contract of shared sessions is not met by one that %s', async (_what, Store, expected) => {
    const { storage } = new MemoryRuns().memory;
    const checks = runStoreContract({ open: () => new Store(storage, null), keepsRuns: true });
    const check = checks.find(({ name }) => name.startsWith(expected));
    expect(check).toBeDefined();
    await expect(check?.run()).rejects.toThrow();
  });
});

describe('the contract of messages and chats', () => {
  type Steer = Parameters<MemoryRuns['steer']>;

  class Overtaking extends MemoryRuns {
    override append(...[position, entries]: Append): Promise<void> {
      return super.append({ ...position, unlessSteered: false }, entries);
    }
  }
  class Silent extends MemoryRuns {
    override append(...[position, entries]: Append): Promise<void> {
      return super.append({ ...position, onSteered: undefined }, entries);
    }
  }
  class Repeating extends MemoryRuns {
    override steer(...[run, message]: Steer): Reply {
      const id = this.memory.readEntries(run.conversation).some((entry) => entry.kind === 'steering') ? 'new ' : '';
      return super.steer(run, { ...message, id: `${id}${message.id}` });
    }
  }
  class ForAnyRun extends MemoryRuns {
    override async inbox(conversation: string, run: string): ReturnType<MemoryRuns['inbox']> {
      const runs = [run, ...this.memory.runs.map(({ id }) => id).filter((id) => id !== run)];
      return (await Promise.all(runs.map((each) => super.inbox(conversation, each)))).flat();
    }
  }
  /** A store whose chats change although they show another conversation. */
  class AnyBranch extends MemoryRuns {
    override readonly chats = withChange(new MemoryRuns(this.memory.storage, null).chats);
  }

  test.each<[string, new (storage: MemoryStorage, tenant: null) => MemoryRuns, string]>([
    ['answers a run while a message waits', Overtaking, 'a run is not answered while messages wait for it'],
    ['does not say that messages wait', Silent, 'every append and the opening of a log say whether messages wait'],
    ['takes a message again', Repeating, 'a message waits for its run until an entry names it, and comes once'],
    ['gives messages to any run', ForAnyRun, 'a message reaches its own run, or the next one'],
    ['changes a chat that shows something else', AnyBranch, 'a chat changes only while it shows'],
  ])('the contract of messages and chats is not met by one that %s', async (_what, Store, expected) => {
    const { storage } = new MemoryRuns().memory;
    const checks = runStoreContract({ open: () => new Store(storage, null), keepsRuns: true });
    const check = checks.find(({ name }) => name.startsWith(expected));
    expect(check).toBeDefined();
    await expect(check?.run()).rejects.toThrow();
  });
});

function withChange(chats: MemoryRuns['chats']): MemoryRuns['chats'] {
  return {
    get: (owner, id) => chats.get(owner, id),
    create: (chat) => chats.create(chat),
    change: async ({ owner, id }, changes) => {
      const branch = (await chats.get(owner, id))?.branches.at(-1) ?? 'none';
      return chats.change({ owner, id, branch }, changes);
    },
    list: (owner, page) => chats.list(owner, page),
    delete: (owner, id) => chats.delete(owner, id),
  };
}

/** As some databases store JSON. */
function sorted(text: string): string {
  return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
