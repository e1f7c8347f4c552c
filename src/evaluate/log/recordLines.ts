import type { NewRun, RunChanges, RunCondition, RunFilter, RunRecord, RunStatus } from '../../interface/RunRecords.js';

/** A run was asked for. */
export interface CreatedLine {
  readonly kind: 'created';
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly run: NewRun;
}

/** The record of a run is to change, if it is in the given state by then. */
export interface ChangedLine {
  readonly kind: 'changed';
  readonly at: number;
  readonly run: string;
  readonly when: RunCondition;
  readonly changes: RunChanges;
}

/** Records were deleted. */
interface DeletedLine {
  readonly kind: 'deleted';
  readonly runs: readonly string[];
}

/** A file begins that follows another one, with the records of that. */
interface BeganLine {
  readonly kind: 'began';
  /** The greatest `order` so far, also of records that were deleted. */
  readonly order: number;
}

/** A record of the file before. */
interface KeptLine {
  readonly kind: 'kept';
  readonly record: RunRecord;
}

/** The file ends, and another one follows: what comes after this line does not count. */
interface EndedLine {
  readonly kind: 'ended';
}

export type RecordLine = CreatedLine | ChangedLine | DeletedLine | BeganLine | KeptLine | EndedLine;

/** The states in which a run is at its end. */
export const ENDED: ReadonlySet<RunStatus> = new Set(['answered', 'failed', 'cancelled']);

const PAGE = 100;

/** The records that lines amount to, in their order: of lines that exclude each other, the first one counts. */
export class RecordTable {
  readonly #runs = new Map<string, RunRecord>();
  /** The ids of each conversation, in order. */
  readonly #conversations = new Map<string, Set<string>>();
  #order = 0;
  #isEnded = false;
  #holdsDeleted = false;

  /** True if another file follows. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** True if lines are of records that were deleted. */
  get holdsDeleted(): boolean {
    return this.#holdsDeleted;
  }

  get(id: string): RunRecord | undefined {
    return this.#runs.get(id);
  }

  /** Returns the record after the line; undefined if the line has no effect. */
  apply(line: RecordLine): RunRecord | undefined {
    switch (line.kind) {
      case 'created':
        return this.#create(line);
      case 'changed':
        return this.#change(line);
      case 'deleted':
        this.#holdsDeleted = true;
        for (const id of line.runs) this.#delete(id);
        return undefined;
      case 'began':
        this.#order = line.order;
        return undefined;
      case 'kept':
        return this.#add(line.record);
      case 'ended':
        this.#isEnded = true;
        return undefined;
    }
  }

  /** The lines with which a file begins that follows: they amount to the same records. */
  *lines(): Generator<RecordLine> {
    yield { kind: 'began', order: this.#order };
    for (const record of this.#runs.values()) yield { kind: 'kept', record };
  }

  head(conversation: string): RunRecord | undefined {
    for (const id of this.#conversations.get(conversation) ?? []) {
      const run = this.#runs.get(id);
      if (run !== undefined && !ENDED.has(run.status)) return run;
    }
    return undefined;
  }

  list({ status, tenant, conversation, after = 0, limit = PAGE }: RunFilter): readonly RunRecord[] {
    const found: RunRecord[] = [];
    for (const run of this.#runs.values()) {
      if (found.length >= limit) break;
      if (run.order <= after || (status !== undefined && !status.includes(run.status))) continue;
      if (tenant !== undefined && run.tenant !== tenant) continue;
      if (conversation === undefined || run.conversation === conversation) found.push(run);
    }
    return found;
  }

  /** The runs that ended before a time. */
  endedBefore(time: number): readonly RunRecord[] {
    return [...this.#runs.values()].filter(({ status, changedAt }) => ENDED.has(status) && changedAt < time);
  }

  /** True if a conversation has no records. */
  isUnused(conversation: string): boolean {
    return !this.#conversations.has(conversation);
  }

  #create({ run, at }: CreatedLine): RunRecord | undefined {
    if (this.#runs.has(run.id)) return undefined;
    return this.#add({
      ...run,
      order: ++this.#order,
      status: 'queued',
      owner: null,
      takeovers: 0,
      progress: 0,
      fingerprint: null,
      problem: null,
      expiresAt: null,
      createdAt: at,
      changedAt: at,
    });
  }

  #add(record: RunRecord): RunRecord {
    const { id, conversation } = record;
    this.#runs.set(id, record);
    const runs = this.#conversations.get(conversation) ?? new Set();
    this.#conversations.set(conversation, runs.add(id));
    return record;
  }

  #change({ run: id, when, changes, at }: ChangedLine): RunRecord | undefined {
    const run = this.#runs.get(id);
    if (run === undefined || !when.status.includes(run.status)) return undefined;
    if (when.owner !== undefined && when.owner !== run.owner) return undefined;
    const changed = { ...run, ...changes, changedAt: at };
    this.#runs.set(id, changed);
    return changed;
  }

  #delete(id: string): void {
    const conversation = this.#runs.get(id)?.conversation ?? '';
    this.#runs.delete(id);
    const runs = this.#conversations.get(conversation);
    runs?.delete(id);
    if (runs?.size === 0) this.#conversations.delete(conversation);
  }
}
