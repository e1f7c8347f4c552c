import { AsyncLocalStorage } from 'node:async_hooks';
import { describeValue } from '../common/text.js';
import { ResourceError } from '../error/infrastructureErrors.js';
import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import type { ResourceBinding, ToolOfCall } from '../interface/ResourceBinding.js';
import type { BeginOptions, Transactional } from '../interface/Transactional.js';
import type { HeldWork } from './HeldCallback.js';
import { HeldTransaction, type TransactionSource } from './HeldTransaction.js';

/** Options of `callTransaction`. */
export interface CallTransactionOptions<C> {
  /**
   * Opens a transaction, and calls `work` with its client within it. Commits once the promise of `work` has resolved, rolls back
   * once that rejects, and passes its error on. The handler runs in the async context in which `work` was called. Calls of `readOnly`
   * tools are always rolled back: `run` has to read that option before it calls `work`, so that the database refuses their writes.
   */
  readonly run: (work: HeldWork<C>, options: Pick<BeginOptions, 'readOnly'>) => PromiseLike<unknown>;
  /**
   * The same for a call that a handler makes: opens a savepoint in the transaction of `client`. Left out, such calls share the
   * transaction, and one that fails reports that what it wrote may remain.
   */
  readonly savepoint?: ((client: C, work: HeldWork<C>) => PromiseLike<unknown>) | undefined;
  /** The tools whose calls begin with a transaction; all when left out. */
  readonly tools?: ((tool: ToolOfCall) => boolean) | undefined;
  /** The name in messages and rehearsals; `CallTransaction` when left out. */
  readonly name?: string | undefined;
}

/** What `callTransaction` returns: a binding for `resources`, and access to the client for repositories. */
export interface CallTransactionBinding<C> extends ResourceBinding {
  /**
   * The client of the call that is running here; undefined outside of calls.
   *
   * @throws TransactionClosedError E602 in a handler whose call has ended; ResourceError E921 if `run` has ended the transaction
   */
  current(): C | undefined;
  /** Runs work that outlives the call outside of it, such as a timer: there, `current` returns undefined. */
  outside<T>(work: () => T): T;
}

const optionNames: OptionNames<CallTransactionOptions<unknown>> = { run: 1, savepoint: 1, tools: 1, name: 1 };

/**
 * Makes a transaction of any library that takes a callback the transaction of each tool call: committed if the call succeeds,
 * rolled back if it fails or is rehearsed. Repositories find its client by `current()`, wherever the handler calls them.
 *
 * @throws ResourceError E912 if an option has the wrong type; PromptError E413 for an unknown one. Calls of readOnly tools throw E922
 * if `run` does not read its option
 * @example
 * const tx = callTransaction<EntityManager>({
 *   run: (work, { readOnly }) => dataSource.transaction(async (manager) => {
 *     if (readOnly) await manager.query('SET TRANSACTION READ ONLY');
 *     await work(manager);
 *   }),
 * });
 * const app = await createApplication({ prompts: [Desk], resources: [tx] });
 * // in a repository
 * const manager = tx.current() ?? dataSource.manager;
 */
export function callTransaction<C>(options: CallTransactionOptions<C>): CallTransactionBinding<C> {
  requireOptionNames('callTransaction', options, optionNames);
  const { run, savepoint, tools = () => true, name = 'CallTransaction' } = options;
  for (const [option, value] of Object.entries({ run, savepoint: savepoint ?? run, tools }))
    if (typeof value !== 'function')
      throw createOptionsError(`${option} is ${describeValue(value)}; a function is expected`);
  if (typeof name !== 'string') throw createOptionsError(`name is ${describeValue(name)}; a text is expected`);
  /** Opens a transaction for a read-only call. A `run` that does not ask has opened one that can write. */
  const read = (work: HeldWork<C>): PromiseLike<unknown> => {
    let isAsked = false;
    const asked = {
      get readOnly() {
        isAsked = true;
        return true;
      },
    };
    return run(async (client) => {
      if (!isAsked) throw createUnreadOptionError(name);
      await work(client);
    }, asked);
  };
  const calls = new AsyncLocalStorage<HeldTransaction<C> | undefined>();
  const source: TransactionSource<C> = { name, calls, savepoint };
  // A class of its own, because a list of bindings has each class once.
  class Transactions implements Transactional<HeldTransaction<C>> {
    begin({ readOnly }: BeginOptions): Promise<HeldTransaction<C>> {
      return HeldTransaction.open(source, (work) => (readOnly ? read(work) : run(work, { readOnly })));
    }
    conflicts(held: HeldTransaction<C>): boolean {
      return held.hasConflict;
    }
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
  Object.defineProperty(Transactions, 'name', { value: name });
  const transactions = new Transactions();
  return Object.freeze({
    type: Transactions,
    scope: 'singleton',
    provide: () => transactions,
    everyCall: tools,
    current: () => calls.getStore()?.client,
    outside: <T>(work: () => T): T => calls.exit(work),
  });
}

function createUnreadOptionError(place: string): ResourceError {
  const problem =
    'run opened a transaction for a readOnly tool without reading its option readOnly: whatever such a tool writes would be rolled back without an error';
  return new ResourceError(problem, { code: 'E922', place });
}

function createOptionsError(problem: string): ResourceError {
  return new ResourceError(problem, {
    code: 'E912',
    place: 'callTransaction',
    remedy: 'Write callTransaction({ run: (work, { readOnly }) => database.transaction(work) }).',
  });
}
