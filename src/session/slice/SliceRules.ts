import { className, classChain, memberLabel, resolveClass } from '../../common/classes.js';
import { propertyType } from '../../common/reflect.js';
import { describeValue } from '../../common/text.js';
import type { AbstractConstructor, Constructor } from '../../common/types.js';
import { SessionError } from '../../error/infrastructureErrors.js';
import type { ReducerFunction, SliceOp } from '../../interface/SliceOp.js';
import { findArgs } from '../../metadata/args/MetadataArgsStorage.js';
import { freezeState } from '../state/freezeState.js';

/** A failed call rolls `state` slices back, but never `log` slices. */
export type SlicePolicy = 'state' | 'log';

/** A reducer and the slice that it writes. */
export interface RegisteredReducer {
  readonly slice: AbstractConstructor<unknown>;
  readonly reduce: ReducerFunction<unknown, unknown>;
  /** True for a `@Reducer` method of the slice's class. */
  readonly isMethod: boolean;
}

/** The policy of a slice, and the state that its reducers start from. */
interface SliceRule {
  readonly policy: SlicePolicy;
  readonly initial?: (() => object) | undefined;
  /** False for a class that starts from a plain `new` instance: it has no state before the first event. */
  readonly isDeclared?: boolean;
}

interface RuleTables {
  readonly byEvent: Map<AbstractConstructor<unknown>, readonly RegisteredReducer[]>;
  readonly slices: Map<AbstractConstructor<unknown>, SliceRule>;
}

const NO_RULES: RuleTables = { byEvent: new Map(), slices: new Map() };

interface InstalledSlice {
  readonly type: Constructor;
  readonly initial?: (() => object) | undefined;
  readonly policy?: SlicePolicy | undefined;
}

/** The reducers of each event, and the policies of slices. Shared by a session and its calls. */
export class SliceRules {
  #tables = NO_RULES;
  /** True while others have the same tables: the first change copies them, and most sessions never make one. */
  #isShared = true;

  /** Throws for slices that cannot be written; set once a log records the state. */
  #refuse: ((slice: AbstractConstructor<unknown>) => void) | undefined;

  /** True once a log records the state. */
  get isRecorded(): boolean {
    return this.#refuse !== undefined;
  }

  /** @param refuse throws for a slice that has no name in the log */
  record(refuse: (slice: AbstractConstructor<unknown>) => void): void {
    this.#refuse = refuse;
  }

  /** Requires that a log, if there is one, could hold values of the slice. @throws SessionError E805 */
  requireRecordable(slice: AbstractConstructor<unknown>): void {
    if (this.policyOf(slice) === 'state') this.#refuse?.(slice);
  }

  reducersOf(event: AbstractConstructor<unknown>): readonly RegisteredReducer[] | undefined {
    return this.#tables.byEvent.get(event);
  }

  /** Checks whether the slice of the class was installed, or events of the class have a reducer. */
  hasRule(type: AbstractConstructor<unknown>): boolean {
    return this.#tables.byEvent.has(type) || this.#tables.slices.has(type);
  }

  /** Returns the `initial` state that a slice was declared with, frozen like its values; undefined without one. */
  initialOf(slice: AbstractConstructor<unknown>): object | undefined {
    const { policy, initial, isDeclared = false } = this.#tables.slices.get(slice) ?? {};
    return isDeclared ? freezeState(initial?.(), className(slice), policy === 'state') : undefined;
  }

  /** Checks whether an event changes a slice that a failed call rolls back. */
  changesState(event: AbstractConstructor<unknown>): boolean {
    const slices = this.#tables.byEvent.get(event)?.map(({ slice }) => slice) ?? [event];
    return slices.some((slice) => this.policyOf(slice) === 'state');
  }

  policyOf(slice: AbstractConstructor<unknown>): SlicePolicy {
    return this.#tables.slices.get(slice)?.policy ?? 'state';
  }

  register(
    slice: AbstractConstructor<unknown>,
    event: AbstractConstructor<unknown>,
    reduce: ReducerFunction<unknown, unknown>,
    policy: SlicePolicy | undefined,
  ): void {
    this.#add(event, { slice, reduce, isMethod: false });
    const { slices } = this.#own();
    slices.set(slice, { ...slices.get(slice), policy: policy ?? this.policyOf(slice) });
  }

  /** Takes over the rules of another session; later registrations affect only their own session. */
  adopt(other: SliceRules): void {
    this.#tables = other.#tables;
    this.#isShared = true;
    other.#isShared = true;
  }

  /** Returns the tables to write to, which belong only to this object. */
  #own(): RuleTables {
    if (this.#isShared) {
      const { byEvent, slices } = this.#tables;
      this.#tables = { byEvent: new Map(byEvent), slices: new Map(slices) };
      this.#isShared = false;
    }
    return this.#tables;
  }

  #add(event: AbstractConstructor<unknown>, reducer: RegisteredReducer): void {
    const { byEvent } = this.#own();
    byEvent.set(event, [...(byEvent.get(event) ?? []), reducer]);
  }

  /**
   * Registers the `@Reducer` methods of the slices that a session is created with.
   *
   * @param isRead true if their state is read from JSON, so that they need no initial state
   * @throws SessionError E801 for declared dates, E802 for wrong reducers, E804 for reducers without an initial state
   */
  installAll(slices: readonly InstalledSlice[], isRead: boolean): void {
    for (const { type, initial, policy } of slices) this.install(type, initial, policy);
    if (isRead) return;
    for (const { type } of slices) {
      const hasReducers = (findArgs(type)?.reducers.length ?? 0) > 0;
      if (!hasReducers || this.#tables.slices.get(type)?.initial !== undefined) continue;
      const name = className(type);
      throw new SessionError('its reducers need a state to begin with, and the declaration has none', {
        code: 'E804',
        place: name,
        remedy: `List it as { type: ${name}, initial: () => new ${name}(…) }.`,
      });
    }
  }

  /**
   * Registers the `@Reducer` methods of a state class. Installing a class again does not duplicate them, and keeps the previous
   * values of omitted options.
   *
   * @param initial creates the state to start from if the slice is empty; by default a new instance, if the constructor takes no
   * arguments
   * @throws SessionError E802
   */
  install(state: Constructor, initial: (() => object) | undefined, policy: SlicePolicy | undefined): void {
    const found = new Map<Constructor, string | symbol>();
    for (const { member, event, isStatic } of findArgs(state)?.reducers ?? []) {
      const place = `${className(state)}.${String(member)}`;
      const type = resolveClass(event);
      if (isStatic) throw new SessionError('@Reducer is applied to a static method', { code: 'E802', place });
      if (type === undefined) {
        throw new SessionError('the event class was undefined when it was read', { code: 'E802', place });
      }
      if (found.has(type))
        throw new SessionError(`${className(type)} already has a reducer here`, { code: 'E802', place });
      found.set(type, member);
    }
    const kept = policy ?? this.policyOf(state);
    if (kept === 'state') for (const type of [state, ...found.keys()]) refuseDates(type);
    const { slices } = this.#own();
    const before = slices.get(state);
    const start = initial ?? before?.initial ?? (found.size > 0 ? createOwnInitial(state) : undefined);
    const isDeclared = initial !== undefined || before?.isDeclared === true;
    slices.set(state, { policy: kept, initial: start, isDeclared });
    this.#dropMethods(state);
    for (const [event, member] of found) {
      this.#add(event, { slice: state, reduce: createMethodReducer(state, member, start), isMethod: true });
    }
  }

  #dropMethods(state: Constructor): void {
    const { byEvent } = this.#own();
    for (const [event, reducers] of byEvent) {
      const others = reducers.filter(({ slice, isMethod }) => slice !== state || !isMethod);
      byEvent.set(event, others);
    }
  }
}

/** Returns a factory for the initial state if the constructor needs no arguments. */
function createOwnInitial(state: Constructor): (() => object) | undefined {
  if (state.length > 0) return undefined;
  try {
    new state();
  } catch {
    return undefined;
  }
  return () => new state();
}

/**
 * Refuses declared dates when the session is created, because an instance with a date could not enter the slice.
 *
 * @throws SessionError E801
 */
function refuseDates(type: Constructor): void {
  for (const owner of classChain(type))
    for (const { property, options } of findArgs(owner)?.properties ?? []) {
      if (options.type !== Date && propertyType(owner.prototype as object, property) !== Date) continue;
      throw new SessionError('a Date can be changed although it is frozen, so it cannot be rolled back', {
        code: 'E801',
        place: memberLabel(type, property),
        remedy: "Keep it as an ISO 8601 text or a number, or declare the slice with policy 'log'.",
      });
    }
}

function createMethodReducer(
  state: Constructor,
  member: string | symbol,
  initial: (() => object) | undefined,
): ReducerFunction<unknown, unknown> {
  return (view, event) => {
    const current = view.latest() ?? initial?.();
    const place = `${className(state)}.${String(member)}`;
    if (current === undefined) {
      throw new SessionError('the slice is empty, and install received no initial state', {
        code: 'E802',
        place,
        remedy: 'Pass initial to session.install, or seed the slice.',
      });
    }
    const reduce = (current as Record<string | symbol, ((event: unknown) => SliceOp<unknown>) | undefined>)[member];
    if (reduce === undefined) {
      throw new SessionError(`the state has no method ${String(member)}: got ${describeValue(current)}`, {
        code: 'E802',
        place,
        remedy: `Put instances of ${className(state)} into the slice, not copies of their data.`,
      });
    }
    return reduce.call(current, event);
  };
}
