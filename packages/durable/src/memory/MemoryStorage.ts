import { systemClock } from 'toolwright';
import type { RunEntry, WaitingMessage } from 'toolwright/conversations';
import type { ChatRecord } from '../records/ChatRecords.js';
import type { RunRecord } from '../records/RunRecords.js';

/** The log of a conversation. */
export interface MemoryLog {
  epoch: number;
  /** Entries as JSON, so that their readers cannot change them. */
  readonly entries: string[];
  /** Messages that wait for runs, as JSON. */
  inbox: readonly WaitingJson[];
}

/** A message that waits for a run. */
interface WaitingJson extends Omit<WaitingMessage, 'message'> {
  readonly message: string;
}

/** A change of a shared session, and the writer that made it. */
export interface MemoryChange {
  readonly version: number;
  /** JSON. */
  readonly delta: string;
  readonly conversation: string;
  readonly epoch: number;
}

/** The data of all tenants of a `MemoryRuns`. */
export class MemoryStorage {
  /** The runs of all tenants in the order in which they were created. */
  runs: readonly RunRecord[] = [];
  /** The number of runs that were ever created. */
  created = 0;
  readonly #tenants = new Map<string | null, TenantMemory>();

  /** All tenants that have had data. */
  get tenants(): readonly TenantMemory[] {
    return [...this.#tenants.values()];
  }

  of(tenant: string | null): TenantMemory {
    const memory = this.#tenants.get(tenant) ?? new TenantMemory(this, tenant);
    this.#tenants.set(tenant, memory);
    return memory;
  }
}

/** The data of one tenant. */
export class TenantMemory {
  readonly tenant: string | null;
  readonly storage: MemoryStorage;
  readonly logs = new Map<string, MemoryLog>();
  readonly sessions = new Map<string, readonly MemoryChange[]>();
  /** By owner and id. */
  readonly chats = new Map<string, Map<string, ChatRecord>>();
  /** The last epoch. None is given twice, so that writers of a deleted log stay shut out. */
  epochs = 0;

  constructor(storage: MemoryStorage, tenant: string | null) {
    this.storage = storage;
    this.tenant = tenant;
  }

  /** The runs of the tenant in the order in which they were created. */
  get runs(): readonly RunRecord[] {
    return this.storage.runs.filter(({ tenant }) => tenant === this.tenant);
  }

  /** Returns copies of the entries of a log. */
  readEntries(conversation: string): readonly RunEntry[] {
    return (this.logs.get(conversation)?.entries ?? []).map((text) => JSON.parse(text) as RunEntry);
  }

  /** Returns the log of a conversation. Creates it if there is none. */
  createLog(conversation: string): MemoryLog {
    const log = this.logs.get(conversation) ?? { epoch: 0, entries: [], inbox: [] };
    this.logs.set(conversation, log);
    return log;
  }

  /** Changes the runs that fit. */
  changeRuns(fits: (run: RunRecord) => boolean, changes: Partial<RunRecord>): void {
    const changedAt = systemClock.now();
    this.storage.runs = this.storage.runs.map((run) =>
      run.tenant === this.tenant && fits(run) ? { ...run, ...changes, changedAt } : run,
    );
  }

  /** Deletes the runs that fit. */
  deleteRuns(fits: (run: RunRecord) => boolean): void {
    this.storage.runs = this.storage.runs.filter((run) => run.tenant !== this.tenant || !fits(run));
  }
}

/** Copies plain data, without the fields that are undefined. */
export function copyJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
