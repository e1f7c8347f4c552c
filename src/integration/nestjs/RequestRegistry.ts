import { randomUUID } from 'node:crypto';
import { ContextIdFactory, type ContextId, type ModuleRef } from '@nestjs/core';
import type { Awaitable } from '../../common/types.js';
import type { RunMetadata } from '../../interface/RunMetadata.js';

/** A request of the host, and what Nest built for it. */
export interface RegisteredRequest {
  readonly request: object;
  readonly contextId: ContextId;
}

/** Where the id of a request stands in the ids of a run: those are texts, and reach every call, also those of programs. */
const REQUEST = 'nestRequest';

/** Which request a run serves. */
export class RequestRegistry {
  readonly #moduleRef: ModuleRef;
  readonly #make: ((runMetadata: RunMetadata) => Awaitable<object | undefined>) | undefined;
  readonly #open = new Map<string, RegisteredRequest>();
  // By the ids as the run holds them: one object a run, and gone with it.
  readonly #made = new WeakMap<RunMetadata, Promise<RegisteredRequest | undefined>>();

  constructor(moduleRef: ModuleRef, make?: (runMetadata: RunMetadata) => Awaitable<object | undefined>) {
    this.#moduleRef = moduleRef;
    this.#make = make;
  }

  /** Gives the work ids for its runs, by which they find the request until the work is done. */
  async during<T>(request: object, ids: RunMetadata, work: (runMetadata: RunMetadata) => Awaitable<T>): Promise<T> {
    const id = randomUUID();
    this.#open.set(id, this.#book(request));
    try {
      return await work(Object.freeze({ ...ids, [REQUEST]: id }));
    } finally {
      this.#open.delete(id);
    }
  }

  /** The request of a run; undefined when it has none, or has none any more. */
  async of(runMetadata: RunMetadata): Promise<RegisteredRequest | undefined> {
    const id = runMetadata[REQUEST];
    if (id !== undefined) return this.#open.get(id);
    if (this.#make === undefined) return undefined;
    const made = this.#made.get(runMetadata) ?? this.#making(runMetadata, this.#make);
    this.#made.set(runMetadata, made);
    return made;
  }

  async #making(
    runMetadata: RunMetadata,
    make: (runMetadata: RunMetadata) => Awaitable<object | undefined>,
  ): Promise<RegisteredRequest | undefined> {
    const request = await make(runMetadata);
    return request === undefined ? undefined : this.#book(request);
  }

  #book(request: object): RegisteredRequest {
    const contextId = ContextIdFactory.getByRequest(request);
    // What Nest's router has begun with a request gives the same id each time, and holds its request already.
    const isKnown = ContextIdFactory.getByRequest(request) === contextId;
    if (!isKnown) this.#moduleRef.registerRequestByContextId(request, contextId);
    return { request, contextId };
  }
}
