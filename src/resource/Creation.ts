import { className } from '../common/classes.js';
import { CircularDependencyError } from '../error/infrastructureErrors.js';
import type { ResourceBinding } from '../interface/ResourceBinding.js';

/**
 * One run of a provider: for whom it runs, and for which other ones it waits. Providers that take time run at once, so a
 * circle may also close between two that were asked for independently.
 */
export class Creation {
  readonly binding: ResourceBinding;
  readonly #asker: Creation | undefined;
  readonly #awaited = new Set<Creation>();
  readonly #received = new Set<unknown>();
  #ended = false;

  /** @throws CircularDependencyError when an instance of the same binding is being made, and needs this one */
  constructor(binding: ResourceBinding, asker: Creation | undefined) {
    this.binding = binding;
    this.#asker = asker;
    const path: Creation[] = [this];
    // A provider that has ended waits for nobody: its resource may ask for another one of its kind.
    for (let at = asker; at !== undefined && !at.#ended; at = at.#asker) {
      path.unshift(at);
      if (at.binding === binding) throw circle(path);
    }
  }

  /** What will hold the instance: a prototype is held by whoever asked for it. */
  get holder(): Creation | undefined {
    return this.binding.scope === 'prototype' ? this.#asker?.holder : this;
  }

  /** @throws CircularDependencyError when the other one waits for this one */
  waitFor(other: Creation): void {
    const path = other.#pathTo(this, new Set());
    if (path !== undefined) throw circle([...path, other]);
    if (!this.#ended) this.#awaited.add(other);
  }

  waitedFor(other: Creation): void {
    this.#awaited.delete(other);
  }

  end(): void {
    this.#ended = true;
  }

  /** Notes what the provider was given: what it hands on belongs to somebody else. */
  receive(resource: unknown): void {
    this.#received.add(resource);
  }

  received(resource: unknown): boolean {
    return this.#received.has(resource);
  }

  #pathTo(goal: Creation, seen: Set<Creation>): readonly Creation[] | undefined {
    if (this === goal) return [this];
    seen.add(this);
    for (const next of this.#awaited) {
      const path = seen.has(next) ? undefined : next.#pathTo(goal, seen);
      if (path !== undefined) return [this, ...path];
    }
    return undefined;
  }
}

function circle(path: readonly Creation[]): CircularDependencyError {
  return new CircularDependencyError(path.map(({ binding }) => className(binding.type)));
}
