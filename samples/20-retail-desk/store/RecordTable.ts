/**
 * One table with copy-on-write rows. A table either owns its rows (the base), or is an overlay over another table of the same
 * kind: it then holds only the rows that were written through it, and records what it read.
 */
export class RecordTable<Row extends object> {
  private readonly written = new Map<string, Row>();
  private readonly seen = new Map<string, Row | undefined>();
  private ownRevision = 0;
  private scannedRevision: number | undefined;

  private constructor(private readonly base: RecordTable<Row> | undefined) {}

  static of<Row extends object>(rows: Readonly<Record<string, Row>>): RecordTable<Row> {
    const table = new RecordTable<Row>(undefined);
    for (const [id, row] of Object.entries(rows)) table.written.set(id, deepFreeze(row));
    return table;
  }

  /** An overlay. It costs the same whatever the table's size, because it starts empty. */
  begin(): RecordTable<Row> {
    return new RecordTable<Row>(this);
  }

  get(id: string): Row | undefined {
    const own = this.written.get(id);
    if (own !== undefined || this.base === undefined) return own;
    return this.observe(id, this.base);
  }

  put(id: string, row: Row): Row {
    // A write without a read is validated too: two blind writes to one record must conflict.
    if (this.base !== undefined && !this.written.has(id)) this.observe(id, this.base);
    this.written.set(id, deepFreeze(row));
    this.ownRevision += 1;
    return row;
  }

  /** Every row with its id. A scan depends on the whole table, so any later change of the base is a conflict. */
  *scan(): IterableIterator<readonly [id: string, row: Row]> {
    if (this.base === undefined) {
      yield* this.written;
      return;
    }
    this.scannedRevision ??= this.base.revision;
    for (const [id, row] of this.base.scan()) yield [id, this.written.get(id) ?? row];
    for (const [id, row] of this.written) if (this.base.get(id) === undefined) yield [id, row];
  }

  /** True if a row that the overlay read or wrote has changed here since. */
  conflicts(overlay: RecordTable<Row>): boolean {
    if (overlay.scannedRevision !== undefined && overlay.scannedRevision !== this.revision) return true;
    for (const [id, row] of overlay.seen) if (this.current(id) !== row) return true;
    return false;
  }

  commit(overlay: RecordTable<Row>): void {
    for (const [id, row] of overlay.written) this.put(id, row);
  }

  /** The rows that were written through this overlay. */
  changes(): ReadonlyMap<string, Row> {
    return this.base === undefined ? new Map() : this.written;
  }

  /** Drops what was written and read through this overlay; a base has nothing to drop. */
  reset(): void {
    if (this.base === undefined) return;
    this.written.clear();
    this.seen.clear();
    this.scannedRevision = undefined;
    this.ownRevision += 1;
  }

  private get revision(): number {
    return this.ownRevision + (this.base?.revision ?? 0);
  }

  private current(id: string): Row | undefined {
    return this.written.get(id) ?? this.base?.current(id);
  }

  private observe(id: string, base: RecordTable<Row>): Row | undefined {
    // The first read is kept: a transaction that reads a row twice must not see two versions of it.
    if (this.seen.has(id)) return this.seen.get(id);
    const row = base.get(id);
    this.seen.set(id, row);
    return row;
  }
}

// A frozen part is from a table, where everything is deeply frozen: skipping it makes a write as cheap as the new part of the
// row.
function deepFreeze<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part);
  return value;
}
