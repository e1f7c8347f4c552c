import { FileRuns, type LogEntry, type LogPosition } from 'toolwright/conversations';

/** What happens at the n-th entry that a worker appends: its process ends before it or after it, or it is not told that it was written. */
export interface StoreFault {
  readonly at: number;
  readonly kind: 'before' | 'after' | 'unacknowledged';
}

/** The store of a worker that comes to a fault. After `before` and `after` it writes nothing any more, as if its process had ended. */
export class FaultyRuns extends FileRuns {
  readonly #fault: StoreFault;
  #written = 0;
  #isDead = false;
  /** True once the fault has happened. */
  happened = false;

  constructor(folder: string, fault: StoreFault) {
    super(folder);
    this.#fault = fault;
  }

  override async append(position: LogPosition, entries: readonly LogEntry[]): Promise<void> {
    if (this.#isDead) throw new DeadProcess();
    const { at, kind } = this.#fault;
    const isNow = !this.happened && this.#written < at && this.#written + entries.length >= at;
    this.#written += entries.length;
    if (isNow) this.happened = true;
    if (isNow && kind === 'before') this.#die();
    await super.append(position, entries);
    if (isNow && kind === 'unacknowledged') throw new TypeError('the acknowledgement was lost');
    if (isNow) this.#die();
  }

  #die(): never {
    this.#isDead = true;
    throw new DeadProcess();
  }
}

/** Stands for the end of a process: what a worker does with it is not looked at. */
class DeadProcess extends Error {
  override readonly name = 'DeadProcess';
}
