import { AsyncLocalStorage } from 'node:async_hooks';
import { describeValue } from '../common/text.js';
import { ResourceError } from '../error/infrastructureErrors.js';
import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import type { ResourceBinding } from '../interface/ResourceBinding.js';
import type { BeginOptions } from '../interface/Transactional.js';
import type { HeldWork } from './HeldCallback.js';
import { HeldTransaction, HeldTransactions, type TransactionSource } from './HeldTransaction.js';

/** Options of `callTransaction`. */
export interface CallTransactionOptions<C> {
  /**
   * Opens a transaction, and calls `work` with its client inside it. Must commit after the promise of `work` has
   * resolved, and roll back and rethrow the error after it has rejected. The handler runs in the async context in which
   * `work` was called. Calls of `readOnly` tools are always rolled back: `run` has to read that option before it calls
   * `work`, so that the database refuses their writes.
   */
  readonly run: (work: HeldWork<C>, options: Pick<BeginOptions, 'readOnly'>) => PromiseLike<unknown>;
  /**
   * Opens a savepoint in the transaction of `client` for a nested call, in the same way. Without it, nested calls share
   * the transaction, and a failed one reports that its writes may remain.
   */
  readonly savepoint?: ((client: C, work: HeldWork<C>) => PromiseLike<unknown>) | undefined;
  /** Selects the tools whose calls begin with a transaction; all by default. */
  readonly tools?: ResourceBinding['everyCall'] | undefined;
  /** The name in messages and rehearsals; `CallTransaction` by default. */
  readonly name?: string | undefined;
}

/** The result of `callTransaction`: a binding for `resources`, and access to the client for repositories. */
export interface CallTransactionBinding<C> extends ResourceBinding {
  /**
   * Returns the client of the current call, or undefined outside calls.
   *
   * @throws TransactionClosedError E602 in a handler whose call has ended; ResourceError E921 if `run` has ended the
   * transaction
   */
  current(): C | undefined;
  /** Runs work that outlives the call, such as a timer, outside the call. There, `current` returns undefined. */
  outside<T>(work: () => T): T;
}

const optionNames: OptionNames<CallTransactionOptions<unknown>> = { run: 1, savepoint: 1, tools: 1, name: 1 };

/**
 * Gives each tool call a transaction of a library that takes a callback. It is committed if the call succeeds, and
 * rolled back if the call fails or is rehearsed. Repositories get its client from `current()`, wherever the handler
 * calls them.
 *
 * @throws ResourceError E912 if an option has the wrong type; PromptError E413 for an unknown option. Calls of readOnly
 * tools throw E922 if `run` does not read its option
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
      throw createOptionsError(`${option}: expected a function, got ${describeValue(value)}`);
  if (typeof name !== 'string') throw createOptionsError(`name: expected a text, got ${describeValue(name)}`);
  /** Opens a transaction for a read-only call. A `run` that does not read the option has opened a writable one. */
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
  // Its own class, because a list of bindings has each class once.
  class Transactions extends HeldTransactions<C> {
    begin({ readOnly }: BeginOptions): Promise<HeldTransaction<C>> {
      return HeldTransaction.open(source, (work) => (readOnly ? read(work) : run(work, { readOnly })));
    }
    conflicts(held: HeldTransaction<C>): boolean {
      return held.hasConflict;
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
    'run opened a transaction for a readOnly tool without reading its option readOnly: all writes of such a tool would be rolled back without an error';
  return new ResourceError(problem, { code: 'E922', place });
}

function createOptionsError(problem: string): ResourceError {
  return new ResourceError(problem, {
    code: 'E912',
    place: 'callTransaction',
    remedy: 'Write callTransaction({ run: (work, { readOnly }) => database.transaction(work) }).',
  });
}
