import { randomUUID } from 'node:crypto';
import { ContextIdFactory, type ContextId, type ModuleRef } from '@nestjs/core';
import type { RunMetadata } from 'toolwright';
import type { Awaitable } from 'toolwright/types';

/** A request of the host, with the id of the context in which Nest keeps the instances built for it. */
export interface RegisteredRequest {
  readonly request: object;
  readonly contextId: ContextId;
}

/** The key of the request's id in a run's metadata. The id is a text and reaches every call, including calls of programs. */
const REQUEST = 'nestRequest';

/** Finds the request that a run serves. */
export class RequestRegistry {
  readonly #moduleRef: ModuleRef;
  readonly #make: ((runMetadata: RunMetadata) => Awaitable<object | undefined>) | undefined;
  readonly #open = new Map<string, RegisteredRequest>();
  // The key is the run's metadata, which is one object per run and is garbage-collected with it.
  readonly #made = new WeakMap<RunMetadata, Promise<RegisteredRequest | undefined>>();

  constructor(moduleRef: ModuleRef, make?: (runMetadata: RunMetadata) => Awaitable<object | undefined>) {
    this.#moduleRef = moduleRef;
    this.#make = make;
  }

  /** Runs work with the metadata by which its runs find the request until the work has ended. */
  async runWith<T>(request: object, ids: RunMetadata, work: (runMetadata: RunMetadata) => Awaitable<T>): Promise<T> {
    const id = randomUUID();
    this.#open.set(id, this.#register(request));
    try {
      return await work(Object.freeze({ ...ids, [REQUEST]: id }));
    } finally {
      this.#open.delete(id);
    }
  }

  /** Returns the request of a run; undefined if the run has none, or if its work has ended. */
  async of(runMetadata: RunMetadata): Promise<RegisteredRequest | undefined> {
    const id = runMetadata[REQUEST];
    if (id !== undefined) return this.#open.get(id);
    if (this.#make === undefined) return undefined;
    const made = this.#made.get(runMetadata) ?? this.#makeRequest(runMetadata, this.#make);
    this.#made.set(runMetadata, made);
    return made;
  }

  async #makeRequest(
    runMetadata: RunMetadata,
    make: (runMetadata: RunMetadata) => Awaitable<object | undefined>,
  ): Promise<RegisteredRequest | undefined> {
    const request = await make(runMetadata);
    return request === undefined ? undefined : this.#register(request);
  }

  #register(request: object): RegisteredRequest {
    const contextId = ContextIdFactory.getByRequest(request);
    // A request of Nest's router has the same id each time, and is registered already.
    const isKnown = ContextIdFactory.getByRequest(request) === contextId;
    if (!isKnown) this.#moduleRef.registerRequestByContextId(request, contextId);
    return { request, contextId };
  }
}
