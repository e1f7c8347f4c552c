import type { Awaitable } from '../common/types.js';
import { ResourceBusyError, type ResourceError } from '../error/infrastructureErrors.js';

/** Who wants to write to a resource. */
export interface Writer {
  /** The resource's name. */
  readonly name: string;
  /** False when its snapshots are there at once: then its methods may be synchronous, and nobody can wait for them. */
  readonly takesTime: boolean;
  /** True when it writes, or waits to write, to another resource as well: if it waited here, too, it might wait for ever. */
  readonly isEngagedElsewhere: boolean;
  /** Refuses every later use. */
  close(): void;
  /** Ends it, after `close`; gives what could not be put back. */
  finish(kept: boolean): Promise<ResourceError | undefined>;
}

interface Waiting {
  readonly writer: Writer;
  readonly takes: boolean;
  readonly go: () => void;
  readonly giveUp: (error: unknown) => void;
}

/**
 * Lets one call at a time write to a resource in place, in the order in which they ask. Nobody waits here who holds anything
 * else, and nobody overtakes: so no two wait for each other.
 */
export class WriteTurns {
  #holder: Writer | undefined;
  #waiting: readonly Waiting[] = [];

  get holder(): Writer | undefined {
    return this.#holder;
  }

  /** Takes the resource until `release`. @throws ResourceBusyError when it cannot wait for it */
  take(writer: Writer): Awaitable<void> {
    if (this.#holder === writer) return undefined;
    if (this.#holder !== undefined) return this.#wait(this.#holder, writer, true);
    this.#holder = writer;
    return undefined;
  }

  /** Waits until nobody else writes. @throws ResourceBusyError when it cannot */
  pass(writer: Writer): Awaitable<void> {
    if (this.#holder === undefined || this.#holder === writer) return undefined;
    return this.#wait(this.#holder, writer, false);
  }

  /** True when the writer holds the resource or waits for it. */
  engages(writer: Writer): boolean {
    return this.#holder === writer || this.#waiting.some((waiting) => waiting.writer === writer);
  }

  /** Ends the waiting of one writer, or of all. */
  giveUp(error: unknown, writer?: Writer): void {
    for (const waiting of this.#leaving(writer)) waiting.giveUp(error);
  }

  /** Gives the resource to the next in line. */
  release(writer: Writer): void {
    if (this.#holder !== writer) return;
    this.#holder = undefined;
    for (let next = this.#waiting[0]; next !== undefined && this.#holder === undefined; next = this.#waiting[0]) {
      const { writer: first } = next;
      const leaving = this.#leaving(first);
      if (leaving.some(({ takes }) => takes)) this.#holder = first;
      for (const waiting of leaving) waiting.go();
    }
  }

  /** Takes everything that a writer waits with out of the line, or the whole line. */
  #leaving(writer: Writer | undefined): readonly Waiting[] {
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
