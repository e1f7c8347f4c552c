import { AsyncLocalStorage } from 'node:async_hooks';
import { isThenable } from '../common/classes.js';
import { CALL_END_MS, ROLLBACK_GRACE_MS } from '../common/limits.js';
import { isConflict } from '../common/sqlState.js';
import type { Awaitable } from '../common/types.js';
import { trackPromise, waitAtMost } from '../common/promises.js';
import { ResourceError } from '../error/infrastructureErrors.js';
import { TransactionClosedError } from '../error/toolErrors.js';
import type { BeginOptions, Transactional } from '../interface/Transactional.js';
import { guardClient } from './guardClient.js';
import { HeldCallback, type HeldWork } from './HeldCallback.js';

/** The settings that all transactions of one `callTransaction` share. */
export interface TransactionSource<C> {
  readonly name: string;
  readonly calls: AsyncLocalStorage<HeldTransaction<C> | undefined>;
  readonly savepoint: ((client: C, work: HeldWork<C>) => unknown) | undefined;
}

type TransactionControl = Pick<HeldCallback<unknown>, 'assertOpen' | 'commit' | 'rollback'>;

/** Runs and ends the transactions that it has begun. */
export abstract class HeldTransactions<C> implements Transactional<HeldTransaction<C>> {
  abstract begin(options: BeginOptions): Awaitable<HeldTransaction<C>>;

  commit(held: HeldTransaction<C>): Promise<'conflicted' | undefined> {
    return held.keep();
  }

  rollback(held: HeldTransaction<C>): Promise<void> {
    return held.undo();
  }

  aroundHandler<T>(held: HeldTransaction<C>, work: () => T): T {
    return held.run(work);
  }
}

/** The transaction of one call. A nested call uses a savepoint in it, or shares it. */
export class HeldTransaction<C> extends HeldTransactions<C> {
  readonly #source: TransactionSource<C>;
  readonly #client: C;
  readonly #control: TransactionControl;
  /** True if it shares a savepoint with other read-only calls. */
  readonly #isReader: boolean;
  readonly #guarded: C;
  /** Runs a function in the async context in which the transaction was opened. */
  readonly #inside: <T>(work: () => T) => T;
  readonly #running = new Set<Promise<unknown>>();
  /** The savepoint of the read-only calls that are running. */
  #readers: { readonly opened: Promise<HeldTransaction<C>>; count: number } | undefined;
  #undoing: Promise<void> = Promise.resolve();
  #isClosed = false;
  #hasConflict = false;

  private constructor(source: TransactionSource<C>, client: C, control: TransactionControl, isReader = false) {
    super();
    this.#isReader = isReader;
    this.#source = source;
    this.#client = client;
    this.#control = control;
    this.#guarded = guardClient(client, () => this.#assertOpen(), this.#running);
    this.#inside = source.calls.run(this, () => AsyncLocalStorage.snapshot());
  }

  /** @throws the error of `run`, ResourceError E919 */
  static open<C>(source: TransactionSource<C>, run: (work: HeldWork<C>) => unknown): Promise<HeldTransaction<C>> {
    return HeldCallback.open(source.name, run, (callback) => new HeldTransaction(source, callback.client, callback));
  }

  /** True if the database refused a statement of the handler because of another transaction. */
  get hasConflict(): boolean {
    return this.#hasConflict;
  }

  /** @throws TransactionClosedError after the call has ended; ResourceError E921 */
  get client(): C {
    this.#assertOpen();
    return this.#guarded;
  }

  /** Runs the handler in the async context of the transaction. */
  run<T>(work: () => T): T {
    const returned = this.#inside(work);
    if (!isThenable(returned)) return returned;
    // The only place that reads `then`: queries of some libraries run each time it is called.
    const running = Promise.resolve(returned);
    trackPromise(
      running.catch((error: unknown) => {
        this.#hasConflict ||= isConflict(error);
      }),
      this.#running,
    );
    return running as T;
  }

  begin({ readOnly }: BeginOptions): Awaitable<HeldTransaction<C>> {
    const { calls, savepoint } = this.#source;
    this.#assertOpen();
    const open = (): Awaitable<HeldTransaction<C>> => {
      // A read-only call is always rolled back, and its nested calls with it.
      if (savepoint === undefined || this.#isReader)
        return new HeldTransaction(this.#source, this.#client, this.#createSharedControl(readOnly));
      const opened = (): Promise<HeldTransaction<C>> =>
        HeldTransaction.open(this.#source, (work) => savepoint(this.#client, work));
      return readOnly ? this.#read(opened) : opened();
    };
    return calls.getStore() === this ? open() : this.#inside(open);
  }

  /** Commits after the operations have ended that the handler did not await. */
  async keep(): Promise<'conflicted' | undefined> {
    this.#isClosed = true;
    await this.#waitForQueries(CALL_END_MS);
    return this.#control.commit();
  }

  async undo(): Promise<void> {
    this.#isClosed = true;
    await this.#waitForQueries(ROLLBACK_GRACE_MS);
    await this.#control.rollback();
  }

  async #waitForQueries(patienceMs: number): Promise<void> {
    if (this.#running.size > 0) await waitAtMost(Promise.allSettled([...this.#running]), patienceMs);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new TransactionClosedError(`resource ${this.#source.name}`);
    this.#control.assertOpen();
  }

  /**
   * Opens one savepoint for all concurrent read-only calls, and releases it with the last one. Savepoints of one
   * connection end in the order in which they began, but calls do not.
   */
  async #read(open: () => Promise<HeldTransaction<C>>): Promise<HeldTransaction<C>> {
    const readers = (this.#readers ??= { opened: this.#undoing.then(open), count: 0 });
    readers.count++;
    const last = (): boolean => {
      if (--readers.count === 0) this.#readers = undefined;
      return readers.count === 0;
    };
    const group = await readers.opened.catch((error: unknown) => {
      last();
      throw error;
    });
    const rollback = async (): Promise<void> => {
      if (!last()) return;
      const undone = group.undo();
      this.#undoing = undone.catch(() => undefined);
      await undone;
    };
    const control = { assertOpen: () => group.#assertOpen(), commit: () => Promise.resolve(undefined), rollback };
    return group.#inside(() => new HeldTransaction(this.#source, group.#client, control, true));
  }

  #createSharedControl(readOnly: boolean): TransactionControl {
    return {
      assertOpen: () => this.#assertOpen(),
      commit: () => Promise.resolve(undefined),
      // If the outer call is rolled back too, the writes of this one are lost with it.
      rollback: () =>
        readOnly || this.#isClosed ? Promise.resolve() : Promise.reject(createSharedRollbackError(this.#source.name)),
    };
  }
}

function createSharedRollbackError(place: string): ResourceError {
  const problem = 'a call within a call shares its transaction and cannot be rolled back separately';
  return new ResourceError(problem, { code: 'E911', place, remedy: 'Give callTransaction a savepoint.' });
}
