import type { BundleEntry } from 'toolwright/bundles';
import type { Row, RowMark, StatePoint } from './rows.js';
import { isObject } from 'toolwright/internal/light';

/** Events that appear in rows of another kind than `event`. */
const IN_ROWS = new Set(['PromptRendered', 'ToolsRendered', 'PromptExecuted', 'PromptStopped', 'PrefixMeasured']);
/** Milliseconds before the handler starts, after which a call counts as waiting: for an approval, a policy, or its turn. */
const WAITED_MS = 100;
const SHORT = 160;

/** Groups entries into rows: one for each run, request, call, program and event. */
export class Timeline {
  readonly rows: Row[] = [];
  readonly points: StatePoint[] = [];
  readonly #bySeq = new Map<number, Row>();
  readonly #runs = new Map<string, Row>();
  readonly #changed = new Set<Row>();

  /** Returns the rows that are new or changed since the last call. */
  changes(): readonly Row[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  row(seq: number): Row | undefined {
    return this.#bySeq.get(seq);
  }

  /** Drops the rows and points that began before an entry; returns the ids of the runs among them. */
  drop(before: number): readonly string[] {
    const dropped = this.rows.splice(0, countBefore(this.rows, before));
    this.points.splice(0, countBefore(this.points, before));
    for (const row of dropped) {
      this.#bySeq.delete(row.seq);
      this.#changed.delete(row);
      if (this.#runs.get(row.run) === row) this.#runs.delete(row.run);
    }
    return dropped.filter(({ kind }) => kind === 'run').map(({ run }) => run);
  }

  add(entry: BundleEntry): void {
    switch (entry.kind) {
      case 'run':
        return this.#addRun(entry);
      case 'request':
        return this.#addRequest(entry);
      case 'call':
        return this.#addCall(entry);
      case 'program':
        return this.#addProgram(entry);
      case 'event':
        return this.#addEvent(entry);
      case 'rendering':
        return;
      case 'state':
        this.points.push({ ...pick(entry), session: entry.session, label: this.#labelOf(entry.of) });
        return this.#mark(entry.of, 'state');
      case 'resources':
        this.points.push({
          ...pick(entry),
          session: this.row(entry.of)?.session ?? '',
          label: this.#labelOf(entry.of),
        });
        return this.#mark(entry.of, 'resources');
      case 'end':
        return this.#end(entry);
      default:
        return this.#addResult(entry);
    }
  }

  #addRun({ seq, time, run, session, conversation, prompt, adapter, parent, metadata }: BundleEntry<'run'>): void {
    const depth = parent === undefined ? 0 : (this.row(parent)?.depth ?? 0) + 1;
    const fork = readForkMetadata(metadata);
    const row = this.#open({ seq, time, run, session, conversation, fork, depth, kind: 'run', name: prompt });
    row.text = adapter;
    this.#runs.set(run, row);
  }

  #addRequest({ seq, time, run, turn, messages }: BundleEntry<'request'>): void {
    const of = this.#runs.get(run);
    const name = `Request ${String(turn)}`;
    const { session = '', depth = -1 } = of ?? {};
    const row = this.#open({ seq, time, run, session, depth: depth + 1, kind: 'request', name });
    const last = messages?.at(-1);
    if (of !== undefined && last?.role === 'user') this.#update(of, { text: shortenText(last.content) });
    row.text = undefined;
  }

  #addCall({ seq, time, run, session, name, parent }: BundleEntry<'call'>): void {
    const above = parent === undefined ? this.#runs.get(run) : this.row(parent);
    this.#open({ seq, time, run, session, name, kind: 'call', depth: (above?.depth ?? -1) + 1 });
  }

  #addProgram({ seq, time, of, attempt, code }: BundleEntry<'program'>): void {
    const above = of === undefined ? undefined : this.row(of);
    const { run = '', session = '', depth = -1 } = above ?? {};
    const row = this.#open({ seq, time, run, session, kind: 'program', name: 'Program', depth: depth + 1 });
    this.#update(row, { status: 'started', text: shortenText(code), attempts: attempt });
  }

  #addEvent(entry: BundleEntry<'event'>): void {
    const above = entry.of === undefined ? undefined : this.row(entry.of);
    if (entry.type === 'ToolInvoked') {
      if (above === undefined) return;
      const { approved, repairs } = entry.fields;
      if (approved === true) this.#mark(above.seq, 'approved');
      if (Array.isArray(repairs) && repairs.length > 0) this.#mark(above.seq, 'repaired');
      return;
    }
    if (IN_ROWS.has(entry.type)) return;
    const { seq, time, type, session, fields } = entry;
    const { run = '', depth = 0 } = above ?? {};
    const row = this.#open({ seq, time, run, session, kind: 'event', name: type, depth: depth + 1 });
    const said = fields['text'] ?? fields['message'] ?? fields['reason'] ?? fields['sections'];
    this.#update(row, {
      status: 'happened',
      text: said === undefined ? undefined : shortenText(typeof said === 'string' ? said : JSON.stringify(said)),
    });
  }

  #addResult(entry: BundleEntry<'answer' | 'attempt' | 'outcome'>): void {
    const row = this.row(entry.of);
    if (row === undefined) return;
    if (entry.kind === 'outcome') return this.#addOutcome(row, entry);
    if (entry.kind === 'attempt') {
      if (entry.attempt === 1 && entry.time - row.time > WAITED_MS) this.#mark(row.seq, 'waited');
      if (entry.attempt > 1) this.#mark(row.seq, 'retried');
      return this.#update(row, { attempts: entry.attempt });
    }
    const { durationMs, problem, text, toolCalls = [], usage, prefix } = entry;
    const calls = toolCalls.map(({ name }) => name).join(', ');
    this.#update(row, {
      status: problem === undefined ? 'answered' : 'failed',
      durationMs,
      text: shortenText(problem ?? (text === null || text === undefined || text === '' ? `→ ${calls}` : text)),
      usage,
      prefix,
    });
    if (prefix?.brokenAt !== undefined && prefix.changedBytes > 0) this.#mark(row.seq, 'prefix broken');
  }

  #addOutcome(row: Row, { outcome, text, durationMs, rolledBack }: BundleEntry<'outcome'>): void {
    this.#update(row, { status: outcome, durationMs, text: shortenText(text) });
    if (outcome === 'conflicted') this.#mark(row.seq, 'conflict');
    if (rolledBack === false) this.#mark(row.seq, 'may remain');
    else if (outcome !== 'succeeded' && outcome !== 'expanded' && row.marks.includes('resources'))
      this.#mark(row.seq, 'rolled back');
  }

  #end({ run, how, durationMs, problem, usage, cost }: BundleEntry<'end'>): void {
    const row = this.#runs.get(run);
    if (row === undefined) return;
    const text = problem === undefined ? row.text : shortenText(problem);
    this.#update(row, { status: how, durationMs, cost, text, usage });
  }

  #open(fields: Omit<Row, 'status' | 'marks'>): Row {
    const row: Row = { ...fields, status: 'open', marks: [] };
    this.rows.push(row);
    this.#bySeq.set(row.seq, row);
    this.#changed.add(row);
    return row;
  }

  #update(row: Row, fields: Partial<Row>): void {
    Object.assign(row, fields);
    this.#changed.add(row);
  }

  #mark(seq: number, mark: RowMark): void {
    const row = this.row(seq);
    if (row !== undefined && !row.marks.includes(mark)) this.#update(row, { marks: [...row.marks, mark] });
  }

  #labelOf(of: number): string {
    return this.row(of)?.name ?? 'before the run';
  }
}

function countBefore(list: readonly { readonly seq: number }[], before: number): number {
  const at = list.findIndex(({ seq }) => seq >= before);
  return at < 0 ? list.length : at;
}

function pick({ seq, time, of }: { readonly seq: number; readonly time: number; readonly of: number }) {
  return { seq, time, of };
}

function shortenText(text: string): string {
  const line = text
    .slice(0, SHORT * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > SHORT ? `${line.slice(0, SHORT)}…` : line;
}

/** The metadata key of a forked run. */
const RUN = 'forkedFrom';
const SEQ = 'forkedAt';

/** Writes the metadata of a fork: the run and the entry it continues from. */
export function writeForkMetadata(run: string, seq: number): Readonly<Record<string, string>> {
  return { [RUN]: run, [SEQ]: String(seq) };
}

/** Reads the run and entry from which a fork continued; undefined for a run that is not a fork. */
function readForkMetadata(metadata: unknown): { readonly run: string; readonly seq: number } | undefined {
  if (!isObject(metadata)) return undefined;
  const { [RUN]: run, [SEQ]: seq } = metadata as Readonly<Record<string, unknown>>;
  return typeof run === 'string' && typeof seq === 'string' ? { run, seq: Number(seq) } : undefined;
}
