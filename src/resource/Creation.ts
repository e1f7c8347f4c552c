import { className } from '../common/classes.js';
import { CircularDependencyError } from '../error/infrastructureErrors.js';
import type { ResourceBinding } from '../interface/ResourceBinding.js';

/**
 * One run of a provider. Knows the run that requested it and the other runs that it awaits. Asynchronous providers run
 * concurrently, so two runs that were requested independently can also form a cycle.
 */
export class Creation {
  readonly binding: ResourceBinding;
  /** The resources that the provider received. If it returns one of them, it does not own it. */
  readonly received = new Set<unknown>();
  readonly #asker: Creation | undefined;
  readonly #awaited = new Set<Creation>();
  #ended = false;

  /** @throws CircularDependencyError if an instance of the same binding is being created and needs this one */
  constructor(binding: ResourceBinding, asker: Creation | undefined) {
    this.binding = binding;
    this.#asker = asker;
    const path: Creation[] = [this];
    // A provider that has ended waits for nothing. Its resource may request another resource of the same binding.
    for (let at = asker; at !== undefined && !at.#ended; at = at.#asker) {
      path.unshift(at);
      if (at.binding === binding) throw createCycleError(path);
    }
  }

  /** The run with the resource that will hold the instance. A prototype is held by the resource that requested it. */
  get holder(): Creation | undefined {
    return this.binding.scope === 'prototype' ? this.#asker?.holder : this;
  }

  /** Begins to run its provider. @throws CircularDependencyError if the run that requested it is one that it waits for */
  begin(): void {
    this.#asker?.waitFor(this);
  }

  /** @throws CircularDependencyError if the other run waits for this one */
  waitFor(other: Creation): void {
    const path = other.#findPathTo(this, new Set());
    if (path !== undefined) throw createCycleError([...path, other]);
    if (!this.#ended) this.#awaited.add(other);
  }

  stopWaiting(other: Creation): void {
    this.#awaited.delete(other);
  }

  end(): void {
    this.#ended = true;
    this.#asker?.stopWaiting(this);
  }

  #findPathTo(goal: Creation, seen: Set<Creation>): readonly Creation[] | undefined {
    if (this === goal) return [this];
    seen.add(this);
    for (const next of this.#awaited) {
      const path = seen.has(next) ? undefined : next.#findPathTo(goal, seen);
      if (path !== undefined) return [this, ...path];
    }
    return undefined;
  }
}

function createCycleError(path: readonly Creation[]): CircularDependencyError {
  return new CircularDependencyError(path.map(({ binding }) => className(binding.type)));
}
