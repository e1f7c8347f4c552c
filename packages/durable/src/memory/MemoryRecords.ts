import { systemClock } from 'toolwright';
import type { QuestionReply } from 'toolwright/conversations';
import { listOpenQuestions } from 'toolwright/internal';
import type {
  NewRun,
  OpenQuestion,
  QuestionFilter,
  RecordChanges,
  RecordCondition,
  RunFilter,
  RunRecord,
  RunRecords,
  RunsOverview,
  TenantFilter,
  WithinChange,
} from '../records/RunRecords.js';
import { DEFAULT_PAGE_RECORDS } from '../limits.js';
import { ENDED } from '../runs/runStates.js';
import { copyJson, type MemoryStorage, type TenantMemory } from './MemoryStorage.js';

/** Answers a question of a run in its log. */
type AnswerQuestion = (run: RunRecord, question: string, reply: QuestionReply) => 'taken' | 'late';

/** The records of a tenant's runs in memory. */
export class MemoryRecords implements RunRecords {
  readonly followLog = true;
  readonly #memory: TenantMemory;
  readonly #answer: AnswerQuestion;

  constructor(memory: TenantMemory, answer: AnswerQuestion) {
    this.#memory = memory;
    this.#answer = answer;
  }

  /** Returns the view of all tenants. */
  static acrossTenants(storage: MemoryStorage): RunsOverview {
    const ofFilter = ({ tenant }: TenantFilter): readonly TenantMemory[] =>
      tenant === undefined ? storage.tenants : [storage.of(tenant)];
    const list = (filter: RunFilter & TenantFilter = {}): Promise<readonly RunRecord[]> => {
      const tenants = ofFilter(filter).map(({ tenant }) => tenant);
      return Promise.resolve(
        selectRuns(
          storage.runs.filter(({ tenant }) => tenants.includes(tenant)),
          filter,
        ),
      );
    };
    return {
      list,
      outline: list,
      questions: (filter = {}) => Promise.resolve(listQuestions(ofFilter(filter), filter)),
      prune: (before) =>
        Promise.resolve(storage.tenants.reduce((count, memory) => count + pruneRuns(memory, before), 0)),
    };
  }

  async create(run: NewRun, within?: WithinChange): Promise<'created' | 'exists'> {
    const { storage, tenant } = this.#memory;
    if (this.#find(run.id) !== undefined) return 'exists';
    const now = systemClock.now();
    const record: RunRecord = {
      ...copyJson(run),
      tenant,
      order: ++storage.created,
      status: 'queued',
      owner: null,
      takeovers: 0,
      progress: 0,
      fingerprint: null,
      problem: null,
      expiresAt: null,
      createdAt: now,
      changedAt: now,
    };
    storage.runs = [...storage.runs, record];
    await within?.(undefined);
    return 'created';
  }

  get(id: string): Promise<RunRecord | undefined> {
    return Promise.resolve(this.#find(id));
  }

  async change(
    id: string,
    when: RecordCondition,
    changes: RecordChanges,
    within?: WithinChange,
  ): Promise<RunRecord | undefined> {
    const run = this.#find(id);
    if (run === undefined || !when.status.includes(run.status)) return undefined;
    if (when.owner !== undefined && when.owner !== run.owner) return undefined;
    this.#memory.changeRuns((each) => each.id === id, copyJson(changes));
    const changed = this.#find(id);
    await within?.(undefined);
    return changed;
  }

  head(conversation: string): Promise<RunRecord | undefined> {
    return Promise.resolve(findHead(this.#memory, conversation));
  }

  list(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    return Promise.resolve(selectRuns(this.#memory.runs, filter));
  }

  questions(filter: QuestionFilter = {}): Promise<readonly OpenQuestion[]> {
    return Promise.resolve(listQuestions([this.#memory], filter));
  }

  async reply(
    run: RunRecord,
    question: string,
    reply: QuestionReply,
    within?: WithinChange,
  ): Promise<'taken' | 'late'> {
    const taken = this.#answer(run, question, reply);
    // No run waits for a denial to be lifted.
    if (reply.kind === 'lifted') return taken;
    await this.change(run.id, { status: ['waiting'] }, { status: 'queued', expiresAt: null }, within);
    return taken;
  }

  prune(before: Date): Promise<number> {
    return Promise.resolve(pruneRuns(this.#memory, before));
  }

  #find(id: string): RunRecord | undefined {
    return this.#memory.runs.find((run) => run.id === id);
  }
}

/** Finds the first run of a conversation that has not ended. */
export function findHead(memory: TenantMemory, conversation: string): RunRecord | undefined {
  return memory.runs.find((run) => run.conversation === conversation && !ENDED.has(run.status));
}

function selectRuns(runs: readonly RunRecord[], filter: RunFilter): readonly RunRecord[] {
  const { status, conversation, expiresBefore, after = 0, limit = DEFAULT_PAGE_RECORDS } = filter;
  return runs
    .filter((run) => status?.includes(run.status) ?? true)
    .filter((run) => (conversation ?? run.conversation) === run.conversation && run.order > after)
    .filter(({ expiresAt }) => expiresBefore === undefined || (expiresAt !== null && expiresAt < expiresBefore))
    .slice(0, limit);
}

function listQuestions(memories: readonly TenantMemory[], filter: QuestionFilter): readonly OpenQuestion[] {
  const { question, run, conversation, limit = DEFAULT_PAGE_RECORDS } = filter;
  const found: OpenQuestion[] = [];
  for (const memory of memories) {
    for (const record of memory.runs.filter(({ status }) => status === 'waiting')) {
      if ((run ?? record.id) !== record.id || (conversation ?? record.conversation) !== record.conversation) continue;
      for (const { kind: _kind, ...asked } of listOpenQuestions(memory.readEntries(record.conversation)))
        if ((question ?? asked.id) === asked.id)
          found.push({ ...asked, run: record.id, conversation: record.conversation, tenant: record.tenant });
    }
  }
  return found.sort((one, other) => one.askedAt - other.askedAt).slice(0, limit);
}

function pruneRuns(memory: TenantMemory, before: Date): number {
  const isOld = ({ status, changedAt }: RunRecord): boolean => ENDED.has(status) && changedAt < before.getTime();
  const old = memory.runs.filter(isOld);
  memory.deleteRuns(isOld);
  const kept = new Set(memory.runs.map(({ conversation }) => conversation));
  for (const { conversation } of old) if (!kept.has(conversation)) memory.logs.delete(conversation);
  return old.length;
}
