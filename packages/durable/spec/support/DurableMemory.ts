import { PromptEvaluationError } from 'toolwright';
import type { RunEntry, LogPosition, QuestionReply, SessionDelta, SharedChange } from 'toolwright/conversations';
import { listOpenQuestions, requireId, requireTenant } from 'toolwright/internal';
import type {
  DurableStore,
  NewRun,
  OpenQuestion,
  QuestionFilter,
  RunChanges,
  RunCondition,
  RunFilter,
  RunRecord,
  RunRecords,
  RunsOverview,
  RunStatus,
  TenantFilter,
  WithinChange,
} from '@toolwright/durable';
import { checkOverview, CheckedRecords } from '../../src/runs/CheckedRecords';
import { MemoryRuns, newMemory, type Memory } from './MemoryRuns';

const OPEN: readonly RunStatus[] = ['queued', 'running', 'waiting', 'paused'];

/** What all stores of all tenants on one storage share. */
export class Storage {
  readonly memories = new Map<string | null, Memory>();
  /** By their order. */
  runs: RunRecord[] = [];
  created = 0;

  memoryOf(tenant: string | null): Memory {
    const memory = this.memories.get(tenant) ?? newMemory();
    this.memories.set(tenant, memory);
    return memory;
  }
}

/** A store of conversations and runs in memory, which keeps the contract. Stores of one storage are as those of several processes. */
export class DurableMemory extends MemoryRuns implements DurableStore {
  readonly tenant: string | null;
  readonly records: RunRecords;
  readonly storage: Storage;

  constructor(storage = new Storage(), tenant: string | null = null) {
    super(storage.memoryOf(tenant));
    this.storage = storage;
    this.tenant = tenant;
    this.records = new CheckedRecords(new MemoryRecords(this), 'DurableMemory.records');
  }

  get acrossTenants(): RunsOverview {
    const ofAll = (filter: RunFilter & TenantFilter = {}): readonly RunRecord[] =>
      selected(this.storage.runs, filter).filter(
        ({ tenant }) => filter.tenant === undefined || tenant === filter.tenant,
      );
    const overview: RunsOverview = {
      list: (filter) => Promise.resolve(ofAll(filter)),
      outline: (filter) => Promise.resolve(ofAll(filter)),
      questions: async ({ tenant, ...filter } = {}) => {
        const tenants = tenant === undefined ? [...this.storage.memories.keys()] : [tenant];
        const lists = tenants.map((each) => this.forTenant(each).records.questions(filter));
        return (await Promise.all(lists)).flat();
      },
      prune: async (before) => {
        const counts = [...this.storage.memories.keys()].map((each) => this.forTenant(each).records.prune(before));
        return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
      },
    };
    return checkOverview(overview, 'DurableMemory.acrossTenants');
  }

  forTenant(tenant: string | null): DurableStore {
    requireTenant('DurableMemory.forTenant', tenant);
    return new DurableMemory(this.storage, tenant);
  }

  override reply(conversation: string, question: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    return this.guarded(() => {
      const waits = ({ status, conversation: own }: RunRecord): boolean => status === 'waiting' && own === conversation;
      const now = Date.now();
      const waiting = this.own.find(waits);
      const { expiresAt = null } = waiting ?? {};
      const isOver = expiresAt !== null && expiresAt <= now;
      if (isOver && this.asks(conversation, question)) return 'late';
      const taken = this.answer(conversation, question, reply);
      if (taken === 'taken' && reply.kind !== 'lifted')
        this.update((run) => run === waiting, { status: 'queued', expiresAt: now });
      return taken;
    });
  }

  /** The runs of the tenant. */
  get own(): readonly RunRecord[] {
    return this.storage.runs.filter(({ tenant }) => tenant === this.tenant);
  }

  /** Changes the records that fit. */
  update(fits: (run: RunRecord) => boolean, changes: Partial<RunRecord>): void {
    const changed = { ...changes, changedAt: Date.now() };
    this.storage.runs = this.storage.runs.map((run) =>
      run.tenant === this.tenant && fits(run) ? { ...run, ...changed } : run,
    );
  }

  override async delete(conversation: string): Promise<void> {
    const open = this.own.find((run) => run.conversation === conversation && OPEN.includes(run.status));
    if (open !== undefined) throw new PromptEvaluationError('an open run', { phase: 'tool', code: 'E746' });
    if ((await this.list()).includes(conversation)) this.forget((run) => run.conversation === conversation);
    await super.delete(conversation);
  }

  /** Deletes the records that fit. */
  forget(fits: (run: RunRecord) => boolean): void {
    this.storage.runs = this.storage.runs.filter((run) => run.tenant !== this.tenant || !fits(run));
  }

  sessionChanges(name: string, after = 0): Promise<readonly SharedChange[]> {
    return this.guarded(() => {
      requireId('DurableMemory.sessionChanges', 'session', name);
      const changes = this.memory.sessions.get(name) ?? [];
      return changes
        .map(({ delta }, index) => ({ version: index + 1, delta: JSON.parse(delta) as SessionDelta }))
        .slice(after);
    });
  }

  deleteSession(name: string): Promise<void> {
    return this.guarded(() => {
      requireId('DurableMemory.deleteSession', 'session', name);
      this.memory.sessions.delete(name);
    });
  }

  protected override changeSession(
    { conversation, epoch, session }: LogPosition,
    { isRepeated, isNew }: { isRepeated: boolean; isNew: boolean },
  ): void {
    const [first] = session?.changes ?? [];
    if (session === undefined || first === undefined) return;
    requireId('DurableMemory.append', 'session', session.name);
    const known = this.memory.sessions.get(session.name) ?? [];
    const before = first.version - 1;
    const written = session.changes.map(({ delta }) => ({ delta: JSON.stringify(delta), conversation, epoch }));
    const there = known.slice(before, before + written.length);
    if (isRepeated && JSON.stringify(there) === JSON.stringify(written)) return;
    const isInOrder = session.changes.every(({ version }, index) => version === known.length + 1 + index);
    if (!isNew || !isInOrder) throw new PromptEvaluationError('another version', { phase: 'tool', code: 'E755' });
    this.memory.sessions.set(session.name, [...known, ...written]);
  }

  protected override wrote(conversation: string, entries: readonly RunEntry[]): void {
    for (const entry of entries) {
      if (entry.kind === 'end') {
        const status = entry.how === 'abandoned' ? 'cancelled' : entry.how;
        const ended = { status, problem: entry.problem ?? null, expiresAt: null } as const;
        this.update(({ id, status: now }) => id === entry.run && OPEN.includes(now), ended);
      }
      if (entry.kind === 'question') {
        const head = this.own.find((run) => run.conversation === conversation && OPEN.includes(run.status));
        this.update(({ id, status }) => id === head?.id && status === 'running', { status: 'waiting' });
      }
    }
  }
}

class MemoryRecords implements RunRecords {
  readonly followLog = true;
  readonly #store: DurableMemory;

  constructor(store: DurableMemory) {
    this.#store = store;
  }

  async create(run: NewRun, within?: WithinChange): Promise<'created' | 'exists'> {
    const { storage, tenant } = this.#store;
    if (this.#find(run.id) !== undefined) return 'exists';
    const now = Date.now();
    const begun = { status: 'queued', owner: null, takeovers: 0, progress: 0, fingerprint: null } as const;
    const times = { createdAt: now, changedAt: now, problem: null, expiresAt: null };
    storage.runs.push({ ...copyOf(run), ...begun, ...times, tenant, order: ++storage.created });
    await within?.(undefined);
    return 'created';
  }

  get(id: string): Promise<RunRecord | undefined> {
    return Promise.resolve(this.#find(id));
  }

  #find(id: string): RunRecord | undefined {
    return this.#store.own.find((run) => run.id === id);
  }

  async change(
    id: string,
    when: RunCondition,
    changes: RunChanges,
    within?: WithinChange,
  ): Promise<RunRecord | undefined> {
    const run = this.#find(id);
    const fits = run !== undefined && when.status.includes(run.status);
    if (!fits || (when.owner !== undefined && when.owner !== run.owner)) return undefined;
    this.#store.update((each) => each.id === id, copyOf(changes));
    await within?.(undefined);
    return this.#find(id);
  }

  head(conversation: string): Promise<RunRecord | undefined> {
    const open = this.#store.own.filter((run) => run.conversation === conversation && OPEN.includes(run.status));
    return Promise.resolve(open[0]);
  }

  list(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    return Promise.resolve(selected(this.#store.own, filter));
  }

  async questions({ run, conversation, limit = 100 }: QuestionFilter = {}): Promise<readonly OpenQuestion[]> {
    const found: OpenQuestion[] = [];
    for (const record of this.#store.own.filter(({ status }) => status === 'waiting')) {
      if ((run ?? record.id) !== record.id || (conversation ?? record.conversation) !== record.conversation) continue;
      for (const { kind: _kind, ...asked } of listOpenQuestions(await this.#store.entries(record.conversation)))
        found.push({ ...asked, run: record.id, conversation: record.conversation, tenant: record.tenant });
    }
    return found.sort((one, other) => one.askedAt - other.askedAt).slice(0, limit);
  }

  async reply(
    run: RunRecord,
    question: string,
    reply: QuestionReply,
    within?: WithinChange,
  ): Promise<'taken' | 'late'> {
    const taken = this.#store.answer(run.conversation, question, reply, run.id);
    if (reply.kind === 'lifted') return taken;
    await this.change(run.id, { status: ['waiting'] }, { status: 'queued', expiresAt: null }, within);
    return taken;
  }

  async prune(before: Date): Promise<number> {
    const isOld = ({ status, changedAt }: RunRecord): boolean => !OPEN.includes(status) && changedAt < before.getTime();
    const old = this.#store.own.filter(isOld);
    const kept = new Set(this.#store.own.filter((run) => !isOld(run)).map(({ conversation }) => conversation));
    this.#store.forget(isOld);
    for (const { conversation } of old) if (!kept.has(conversation)) await this.#store.delete(conversation);
    return old.length;
  }
}

/** A copy of the realm of the test, without fields that are undefined. */
function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function selected(runs: readonly RunRecord[], filter: RunFilter): readonly RunRecord[] {
  const { status, conversation, expiresBefore, after = 0, limit = 100 } = filter;
  return runs
    .filter((run) => status?.includes(run.status) ?? true)
    .filter((run) => (conversation ?? run.conversation) === run.conversation && run.order > after)
    .filter(({ expiresAt }) => expiresBefore === undefined || (expiresAt !== null && expiresAt < expiresBefore))
    .slice(0, limit);
}
