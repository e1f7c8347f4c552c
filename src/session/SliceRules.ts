import { className, resolveClass } from '../common/classes.js';
import type { AbstractConstructor, Constructor } from '../common/types.js';
import { SessionError } from '../error/infrastructureErrors.js';
import type { Reducer, SliceOp } from '../interface/SliceOp.js';
import { knownArgs } from '../metadata/args/MetadataArgsStorage.js';

/** `state` is rolled back with a failed call, `log` never is. */
export type SlicePolicy = 'state' | 'log';

/** A reducer and the slice that it writes. */
export interface RegisteredReducer {
  readonly slice: AbstractConstructor<unknown>;
  readonly reduce: Reducer<unknown, unknown>;
}

/** Which reducers run for which event, and which slices are never rolled back. Shared by a session and its calls. */
export class SliceRules {
  readonly #byEvent = new Map<AbstractConstructor<unknown>, RegisteredReducer[]>();
  readonly #policies = new Map<AbstractConstructor<unknown>, SlicePolicy>();

  reducersOf(event: AbstractConstructor<unknown>): readonly RegisteredReducer[] | undefined {
    return this.#byEvent.get(event);
  }

  /** True for a class whose slice was installed or that has a reducer of its own. */
  knows(type: AbstractConstructor<unknown>): boolean {
    return this.#byEvent.has(type) || this.#policies.has(type);
  }

  /** True for a slice whose values are frozen when they enter it. */
  isInstalled(slice: AbstractConstructor<unknown>): boolean {
    return this.#policies.has(slice);
  }

  /** True when an event changes something that is rolled back with a failed call. */
  changesState(event: AbstractConstructor<unknown>): boolean {
    const slices = this.#byEvent.get(event)?.map(({ slice }) => slice) ?? [event];
    return slices.some((slice) => this.policyOf(slice) === 'state');
  }

  policyOf(slice: AbstractConstructor<unknown>): SlicePolicy {
    return this.#policies.get(slice) ?? 'state';
  }

  register(
    slice: AbstractConstructor<unknown>,
    event: AbstractConstructor<unknown>,
    reduce: Reducer<unknown, unknown>,
    policy: SlicePolicy | undefined,
  ): void {
    const known = this.#byEvent.get(event) ?? [];
    this.#byEvent.set(event, known);
    known.push({ slice, reduce });
    this.#policies.set(slice, policy ?? this.policyOf(slice));
  }

  /**
   * Registers the `@Reducer` methods of a state class.
   *
   * @param initial the state to start from when the slice is empty
   * @throws SessionError E802
   */
  install(state: Constructor, initial: (() => object) | undefined, policy: SlicePolicy): void {
    const found = new Map<Constructor, string | symbol>();
    for (const { member, event, isStatic } of knownArgs(state)?.reducers ?? []) {
      const place = `${className(state)}.${String(member)}`;
      const type = resolveClass(event);
      if (isStatic) throw new SessionError('@Reducer stands on a static method', { code: 'E802', place });
      if (type === undefined) {
        throw new SessionError('the event class was undefined when it was read', { code: 'E802', place });
      }
      if (found.has(type))
        throw new SessionError(`${className(type)} already has a reducer here`, { code: 'E802', place });
      found.set(type, member);
    }
    this.#policies.set(state, policy);
    for (const [type, member] of found) this.register(state, type, methodReducer(state, member, initial), policy);
  }
}

function methodReducer(
  state: Constructor,
  member: string | symbol,
  initial: (() => object) | undefined,
): Reducer<unknown, unknown> {
  return (view, event) => {
    const current = (view.latest() ?? initial?.()) as
      Record<string | symbol, (event: unknown) => SliceOp<unknown>> | undefined;
    const reduce = current?.[member];
    if (current === undefined || reduce === undefined) {
      throw new SessionError('the slice is empty, and install was given no initial state', {
        code: 'E802',
        place: `${className(state)}.${String(member)}`,
        remedy: 'Pass initial to session.install, or seed the slice.',
      });
    }
    return reduce.call(current, event);
  };
}
