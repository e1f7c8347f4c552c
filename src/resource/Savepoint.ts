import { mapAwaitable, trackPromise, waitAtMost } from '../common/promises.js';
import { className, isThenable } from '../common/classes.js';
import { CALL_END_MS } from '../common/limits.js';
import { messageOf } from '../common/text.js';
import type { Awaitable } from '../common/types.js';
import { ResourceBusyError, ResourceError } from '../error/infrastructureErrors.js';
import { ReadOnlyViolationError, TransactionClosedError } from '../error/toolErrors.js';
import type { Snapshotable } from '../interface/Transactional.js';

interface Waiting {
  readonly writer: Savepoint;
  readonly takes: boolean;
  readonly go: () => void;
  readonly giveUp: (error: unknown) => void;
}

/**
 * Lets one call at a time write to a resource in place, in the order of their requests. A writer that holds another
 * resource never waits here, and the order is never changed, so two writers never wait for each other.
 */
export class WriteTurns {
  #holder: Savepoint | undefined;
  #waiting: readonly Waiting[] = [];

  get holder(): Savepoint | undefined {
    return this.#holder;
  }

  /** @throws ResourceBusyError if the writer cannot wait for it */
  take(writer: Savepoint): Awaitable<void> {
    if (this.#holder === writer) return undefined;
    if (this.#holder !== undefined) return this.#wait(this.#holder, writer, true);
    this.#holder = writer;
    return undefined;
  }

  /** @throws ResourceBusyError if the writer cannot wait */
  pass(writer: Savepoint): Awaitable<void> {
    if (this.#holder === undefined || this.#holder === writer) return undefined;
    return this.#wait(this.#holder, writer, false);
  }

  /** Returns true if the writer holds the resource or waits for it. */
  engages(writer: Savepoint): boolean {
    return this.#holder === writer || this.#waiting.some((waiting) => waiting.writer === writer);
  }

  /** Rejects the requests of one writer, or of all. */
  giveUp(error: unknown, writer?: Savepoint): void {
    for (const waiting of this.#removeEntries(writer)) waiting.giveUp(error);
  }

  /** Passes the resource to the next waiting writer. */
  release(writer: Savepoint): void {
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
  #removeEntries(writer: Savepoint | undefined): readonly Waiting[] {
    const isMeant = (waiting: Waiting): boolean => writer === undefined || waiting.writer === writer;
    const leaving = this.#waiting.filter(isMeant);
    this.#waiting = this.#waiting.filter((waiting) => !isMeant(waiting));
    return leaving;
  }

  #wait(holder: Savepoint, writer: Savepoint, takes: boolean): Promise<void> {
    if (!holder.takesTime || writer.isEngagedElsewhere) throw new ResourceBusyError(writer.name);
    return new Promise((go, giveUp) => {
      this.#waiting = [...this.#waiting, { writer, takes, go, giveUp }];
    });
  }
}

export interface SavepointOwner {
  /** Refuses writes, if the resource declares which methods only read. */
  readonly readOnly: boolean;
  /** Returns true if the call holds or waits for a resource other than the one of the savepoint. */
  isEngagedBeside(savepoint: Savepoint): boolean;
  /** Receives the error with which a write was refused. A handler that swallows it must not commit the rest. */
  note(refusal: Error): void;
}

/**
 * A call's access to a resource that is changed in place. Before the first write of the call, it waits for its turn and
 * takes a snapshot. If the call fails, it restores the snapshot. A nested call has its own savepoint over the savepoint
 * of its parent, so each snapshot is restored at most once (docs/contract.md, 7 and 15).
 */
export class Savepoint {
  readonly name: string;
  readonly #resource: Snapshotable<unknown>;
  readonly #call: SavepointOwner;
  readonly #parent: Savepoint | undefined;
  /** The turns that it shares with savepoints of the same level. */
  readonly #turns: WriteTurns;
  readonly #innerTurns = new WriteTurns();
  readonly #running = new Set<Promise<unknown>>();
  #preparing: Promise<void> | undefined;
  #snapshot: { readonly value: unknown } | undefined;
  #takesTime = true;
  #isWritten = false;
  /** True if new operations are refused. Running operations may finish. */
  #isClosed = false;
  /** True if running operations must not continue, either. */
  #isDropped = false;
  /** The reason why a write has no snapshot. */
  #unsaved: ResourceError | undefined;
  #settling: Promise<boolean> | undefined;
  #finishing: Promise<ResourceError | undefined> | undefined;

  /** @param over the parent call's savepoint of the same resource, or the turns of calls without a parent */
  constructor(resource: Snapshotable<unknown>, call: SavepointOwner, over: Savepoint | WriteTurns) {
    this.name = className(resource.constructor);
    this.#resource = resource;
    this.#call = call;
    this.#parent = over instanceof Savepoint ? over : undefined;
    this.#turns = over instanceof Savepoint ? over.#innerTurns : over;
  }

  /** False if its snapshots are synchronous. Then its methods may be synchronous, too, and cannot wait. */
  get takesTime(): boolean {
    return this.#takesTime;
  }

  /** True if there is something to restore. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  get isEngaged(): boolean {
    return this.#preparing !== undefined || this.#turns.engages(this);
  }

  /** True if it writes or waits to write to another resource as well. If it also waited here, it could deadlock. */
  get isEngagedElsewhere(): boolean {
    return this.#call.isEngagedBeside(this);
  }

  /** @throws TransactionClosedError if the call or a parent call has ended */
  assertOpen(): void {
    if (this.#isClosed) throw this.#createClosedError();
    this.#parent?.assertOpen();
  }

  /** Runs an operation that changes nothing. Waits while another call writes. */
  read(run: () => unknown): unknown {
    return this.#noteRefusals(() => {
      this.assertOpen();
      return mapAwaitable(this.waitForOthers(), () => {
        this.#assertGoingOn();
        return run();
      });
    });
  }

  /** Runs an operation that may change something, after its turn has come and the snapshot is taken. */
  write(run: () => unknown): unknown {
    return this.#noteRefusals(() => {
      this.#admit();
      const act = (): unknown => {
        this.#assertGoingOn();
        this.markWritten();
        return run();
      };
      const ready = this.prepare();
      const result = ready === undefined ? act() : ready.then(act);
      if (isThenable(result)) this.follow(Promise.resolve(result));
      return result;
    });
  }

  /** Like `write`, for an operation that cannot wait, such as setting a property. */
  writeNow<T>(run: () => T): T {
    return this.#noteRefusals(() => {
      this.#admit();
      const ready = this.prepare();
      if (ready !== undefined) {
        this.follow(ready);
        throw this.#createRefusal('a property was set before the call had a snapshot, and setting cannot wait for one');
      }
      this.markWritten();
      return run();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#innerTurns.giveUp(this.#createClosedError());
    this.#innerTurns.holder?.close();
  }

  finish(kept: boolean): Promise<ResourceError | undefined> {
    return (this.#finishing ??= this.#finish(kept));
  }

  /** Waits for the turn and the snapshot, the parent's first. Returns undefined if it has both already. */
  prepare(): Promise<void> | undefined {
    if (this.#snapshot !== undefined) return undefined;
    if (this.#preparing !== undefined) return this.#preparing;
    const prepared = mapAwaitable(this.#parent?.prepare(), () =>
      mapAwaitable(this.#takeTurn(), () => mapAwaitable(this.#parent?.waitForOwn(), () => this.#saveState())),
    );
    if (prepared === undefined) return undefined;
    this.#preparing = prepared.finally(() => {
      this.#preparing = undefined;
    });
    return this.#preparing;
  }

  /** Waits while others write, first on the level of the parent. */
  waitForOthers(): Awaitable<void> {
    return mapAwaitable(this.#parent?.waitForOthers(), () => this.#turns.pass(this));
  }

  waitForOwn(): Promise<void> | undefined {
    return this.#running.size === 0 ? undefined : Promise.allSettled(this.#running).then(() => undefined);
  }

  /** Waits for a limited time for operations that the handler did not await. Returns undefined if there are none. */
  waitForPending(): Promise<boolean> | undefined {
    if (this.#running.size === 0) return undefined;
    return (this.#settling ??= waitAtMost(Promise.allSettled(this.#running)));
  }

  /** @throws ResourceError E918 if a write was not done because there is no snapshot. The handler may have swallowed the error */
  assertSound(): void {
    if (this.#unsaved !== undefined) throw this.#unsaved;
    if (this.#preparing === undefined) return;
    const problem = `a write still waits for its snapshot ${String(CALL_END_MS)} ms after the handler has returned`;
    throw new ResourceError(problem, { code: 'E918', place: this.name });
  }

  /** Records that there is something to restore, for the parent as well. */
  markWritten(): void {
    this.#isWritten = true;
    this.#parent?.markWritten();
  }

  /** Counts an operation as one of this call until it has ended. */
  follow(running: Promise<unknown>): void {
    trackPromise(running, this.#running);
  }

  async #finish(kept: boolean): Promise<ResourceError | undefined> {
    try {
      if (!kept) this.#drop();
      // A nested call that continues after this one has nothing to commit into.
      const innerFault = await this.#innerTurns.holder?.finish(false);
      const isQuiet = (await this.waitForPending()) ?? true;
      this.#drop();
      if (kept) for (const running of this.#running) this.#parent?.follow(running);
      else if (this.#isWritten && !(await waitAtMost(this.#restore())))
        return this.#createFault(`restoring it had not ended after ${String(CALL_END_MS)} ms`);
      // Waiting writes can no longer begin.
      return isQuiet || !this.#isWritten
        ? innerFault
        : this.#createFault(`an operation was still running ${String(CALL_END_MS)} ms after the call`);
    } catch (cause) {
      return this.#createFault(`restoring it failed: ${messageOf(cause)}`, cause);
    } finally {
      this.#turns.release(this);
    }
  }

  async #restore(): Promise<void> {
    await this.#resource.restore(this.#snapshot?.value);
  }

  #drop(): void {
    this.#isDropped = true;
    this.#turns.giveUp(this.#createClosedError(), this);
  }

  #assertGoingOn(): void {
    if (this.#isDropped) throw this.#createClosedError();
    this.#parent?.assertOpen();
  }

  /** @throws the reason why this call cannot write */
  #admit(): void {
    this.assertOpen();
    if (this.#call.readOnly && this.#resource.reads !== undefined)
      throw new ReadOnlyViolationError(`resource ${this.name}`);
    if (this.#innerTurns.holder !== undefined)
      throw this.#createRefusal('a call that this handler has made is writing to it; wait for its outcome first');
  }

  #takeTurn(): Awaitable<void> {
    this.#assertGoingOn();
    return this.#turns.take(this);
  }

  #saveState(): Awaitable<void> {
    this.#assertGoingOn();
    const taken = this.#takeSnapshot();
    this.#takesTime = isThenable(taken);
    return mapAwaitable(taken, (value) => {
      this.#snapshot = { value };
      this.#unsaved = undefined;
    });
  }

  #takeSnapshot(): unknown {
    const failed = (cause: unknown): never => {
      const problem = `taking a snapshot failed: ${messageOf(cause)}`;
      throw (this.#unsaved = new ResourceError(problem, { code: 'E918', place: this.name, cause }));
    };
    try {
      const taken: unknown = this.#resource.snapshot();
      return isThenable(taken) ? Promise.resolve(taken).catch(failed) : taken;
    } catch (cause) {
      return failed(cause);
    }
  }

  #noteRefusals<T>(act: () => T): T {
    const note = (error: unknown): void => {
      if (error instanceof ResourceBusyError || error instanceof ReadOnlyViolationError) this.#call.note(error);
    };
    try {
      const result = act();
      if (isThenable(result)) result.then(undefined, note);
      return result;
    } catch (error) {
      note(error);
      throw error;
    }
  }

  #createClosedError(): TransactionClosedError {
    return new TransactionClosedError(`resource ${this.name}`);
  }

  #createRefusal(problem: string): ResourceError {
    return new ResourceError(problem, { code: 'E910', place: this.name });
  }

  #createFault(problem: string, cause?: unknown): ResourceError {
    return new ResourceError(problem, { code: 'E911', place: this.name, cause });
  }
}
