import type { Awaitable } from '../common/types.js';
import { ResourceBusyError, type ResourceError } from '../error/infrastructureErrors.js';

export interface Writer {
  readonly name: string;
  /** False if its snapshots are synchronous. Then its methods may be synchronous, too, and cannot wait. */
  readonly takesTime: boolean;
  /** True if it writes or waits to write to another resource as well. If it also waited here, it could deadlock. */
  readonly isEngagedElsewhere: boolean;
  /** Refuses every later use. */
  close(): void;
  /** Finishes after `close`. Returns the failure to restore, if there was one. */
  finish(kept: boolean): Promise<ResourceError | undefined>;
}

interface Waiting {
  readonly writer: Writer;
  readonly takes: boolean;
  readonly go: () => void;
  readonly giveUp: (error: unknown) => void;
}

/**
 * Lets one call at a time write to a resource in place, in the order of their requests. A writer that holds another
 * resource never waits here, and the order is never changed, so two writers never wait for each other.
 */
export class WriteTurns {
  #holder: Writer | undefined;
  #waiting: readonly Waiting[] = [];

  get holder(): Writer | undefined {
    return this.#holder;
  }

  /** @throws ResourceBusyError if the writer cannot wait for it */
  take(writer: Writer): Awaitable<void> {
    if (this.#holder === writer) return undefined;
    if (this.#holder !== undefined) return this.#wait(this.#holder, writer, true);
    this.#holder = writer;
    return undefined;
  }

  /** @throws ResourceBusyError if the writer cannot wait */
  pass(writer: Writer): Awaitable<void> {
    if (this.#holder === undefined || this.#holder === writer) return undefined;
    return this.#wait(this.#holder, writer, false);
  }

  /** Returns true if the writer holds the resource or waits for it. */
  engages(writer: Writer): boolean {
    return this.#holder === writer || this.#waiting.some((waiting) => waiting.writer === writer);
  }

  /** Rejects the requests of one writer, or of all. */
  giveUp(error: unknown, writer?: Writer): void {
    for (const waiting of this.#removeEntries(writer)) waiting.giveUp(error);
  }

  /** Passes the resource to the next waiting writer. */
  release(writer: Writer): void {
    if (this.#holder !== writer) return;
    this.#holder = undefined;
    for (let next = this.#waiting[0]; next !== undefined && this.#holder === undefined; next = this.#waiting[0]) {
      const { writer: first } = next;
      const leaving = this.#removeEntries(first);
      if (leaving.some(({ takes }) => takes)) this.#holder = first;
      for (const waiting of leaving) waiting.go();
    }
  }

  /** Removes all entries of a writer from the queue, or the whole queue, and returns them. */
  #removeEntries(writer: Writer | undefined): readonly Waiting[] {
    const isMeant = (waiting: Waiting): boolean => writer === undefined || waiting.writer === writer;
    const leaving = this.#waiting.filter(isMeant);
    this.#waiting = this.#waiting.filter((waiting) => !isMeant(waiting));
    return leaving;
  }

  #wait(holder: Writer, writer: Writer, takes: boolean): Promise<void> {
    if (!holder.takesTime || writer.isEngagedElsewhere) throw new ResourceBusyError(writer.name);
    return new Promise((go, giveUp) => {
      this.#waiting = [...this.#waiting, { writer, takes, go, giveUp }];
    });
  }
}
