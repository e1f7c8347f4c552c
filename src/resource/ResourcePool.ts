import { className } from '../common/classes.js';
import { CALL_END_MS, MAX_CLOSE_MS } from '../common/limits.js';
import type { AbstractConstructor, Awaitable } from '../common/types.js';
import { waitAtMost } from '../common/promises.js';
import { CircularDependencyError, ResourceError } from '../error/infrastructureErrors.js';
import type { ResourceBinding } from '../interface/ResourceBinding.js';
import { closeResource } from './bind.js';
import { Creation } from './Creation.js';
import { provide, type Provided, type Obtain } from './provideResource.js';

export interface CloseFault {
  /** Name of the class that it is bound to. */
  readonly name: string;
  readonly error: unknown;
}

interface UnderWay {
  readonly creation: Creation;
  promise: Promise<Provided> | undefined;
}

interface Opened {
  readonly binding: ResourceBinding;
  readonly resource: unknown;
}

/** Instances with the same lifetime. Each is created once, and the last one created is closed first. */
export class ResourcePool {
  readonly #made = new Map<AbstractConstructor<unknown>, Provided>();
  readonly #underWay = new Map<AbstractConstructor<unknown>, UnderWay>();
  readonly #opened: Opened[] = [];
  readonly #closedError: (type: AbstractConstructor<unknown>) => Error;
  #onFault: ((fault: CloseFault) => void) | undefined;

  /** @param closedError creates the error for requests after the pool was closed */
  constructor(closedError: (type: AbstractConstructor<unknown>) => Error) {
    this.#closedError = closedError;
  }

  /**
   * Returns the single instance of a binding. Requests during its creation wait for the same instance. A failure is not
   * cached.
   *
   * @throws CircularDependencyError, ProviderError, synchronously or as a rejection
   */
  obtain(binding: ResourceBinding, asker: Creation | undefined, obtain: Obtain): Awaitable<Provided> {
    const made = this.#made.get(binding.type);
    if (made !== undefined) return made;
    const underWay = this.#underWay.get(binding.type);
    return underWay === undefined ? this.#make(binding, asker, obtain) : join(underWay, asker);
  }

  async waitForCreations(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values()].flatMap(({ promise }) => promise ?? []));
  }

  /**
   * Closes all instances, one after the other. Instances that are still being created are closed when they are
   * provided.
   *
   * @param onFault called with each failure
   */
  async close(onFault: (fault: CloseFault) => void): Promise<void> {
    this.#onFault = onFault;
    for (let last = this.#opened.pop(); last !== undefined; last = this.#opened.pop()) await closeOpened(last, onFault);
  }

  #make(binding: ResourceBinding, asker: Creation | undefined, obtain: Obtain): Awaitable<Provided> {
    const { type } = binding;
    const creation = new Creation(binding, asker);
    const underWay: UnderWay = { creation, promise: undefined };
    this.#underWay.set(type, underWay);
    let provided: Awaitable<Provided>;
    try {
      provided = provide(creation, obtain);
      if (!(provided instanceof Promise)) return this.#keep(creation, provided);
    } finally {
      this.#underWay.delete(type);
    }
    const promise = provided
      .then((late) => this.#keep(creation, late))
      .finally(() => {
        this.#underWay.delete(type);
      });
    // It may not be awaited, and an unhandled rejection would end the process.
    promise.catch(() => undefined);
    underWay.promise = promise;
    this.#underWay.set(type, underWay);
    return promise;
  }

  #keep(creation: Creation, provided: Provided): Provided {
    const { binding } = creation;
    const { resource } = provided;
    const isHandedOn = binding.close === closeResource && creation.received.has(resource);
    const opened: Opened | undefined = binding.close === undefined || isHandedOn ? undefined : { binding, resource };
    if (this.#onFault !== undefined) {
      if (opened !== undefined) void closeOpened(opened, this.#onFault);
      throw this.#closedError(binding.type);
    }
    if (opened !== undefined) this.#opened.push(opened);
    this.#made.set(binding.type, provided);
    return provided;
  }
}

/** Waits for an instance that another request is creating. */
function join({ creation, promise }: UnderWay, asker: Creation | undefined): Promise<Provided> {
  asker?.waitFor(creation);
  const name = className(creation.binding.type);
  // Its provider is running synchronously, and requests its own resource without using the scope that it received.
  if (promise === undefined) throw new CircularDependencyError([name, name]);
  return asker === undefined
    ? promise
    : promise.finally(() => {
        asker.stopWaiting(creation);
      });
}

async function closeOpened({ binding, resource }: Opened, onFault: (fault: CloseFault) => void): Promise<void> {
  const name = className(binding.type);
  const patience = binding.scope === 'toolCall' ? CALL_END_MS : MAX_CLOSE_MS;
  try {
    if (await waitAtMost(Promise.resolve(binding.close?.(resource)), patience)) return;
    const problem = `closing it had not ended after ${String(patience)} ms`;
    onFault({ name, error: new ResourceError(problem, { code: 'E917', place: name }) });
  } catch (error) {
    onFault({ name, error });
  }
}
