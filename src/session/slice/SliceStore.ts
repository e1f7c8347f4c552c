import { className, ignoreRejection, isThenable } from '../../common/classes.js';
import { describeValue } from '../../common/text.js';
import type { AbstractConstructor } from '../../common/types.js';
import { SessionError } from '../../error/infrastructureErrors.js';
import type { Clock, IdSource } from '../../interface/ports.js';
import type { ReducerContext, SliceOp, SliceView } from '../../interface/SliceOp.js';
import type { Draft, SessionPort, SlicePort } from '../../interface/SessionPort.js';
import { changeDraft, createNothingToUpdateError } from '../state/changeDraft.js';
import { freezeState } from '../state/freezeState.js';
import { PersistentList } from '../table/PersistentList.js';
import { createNotSliceError, isTableClass } from '../table/KeptTable.js';
import type { SliceRules } from './SliceRules.js';

/** The class that identifies a slice. */
export type SliceKey = AbstractConstructor<unknown>;

const KINDS: ReadonlySet<string> = new Set<SliceOp<unknown>['kind']>(['append', 'extend', 'replace', 'clear']);

/** Storage of slices: a session, or the overlay of a call. */
export interface SliceStore {
  readonly rules: SliceRules;
  /** Returns the state of the slice, and records the read: a later change from outside is then a conflict. */
  read(key: SliceKey): PersistentList<unknown>;
  /** Returns the state of the slice for appending to it; does not count as a read. */
  peek(key: SliceKey): PersistentList<unknown>;
  write(key: SliceKey, list: PersistentList<unknown>): void;
}

/** Returns the newest value of a slice; its declared `initial` if it is empty. */
function findLatest(store: SliceStore, key: SliceKey): unknown {
  const list = store.read(key);
  return list.length === 0 ? store.rules.initialOf(key) : list.last;
}

function createView(store: SliceStore, key: SliceKey): SliceView<unknown> {
  return {
    latest: () => findLatest(store, key),
    all: () => store.read(key).values,
    where: (predicate) => store.read(key).values.filter(predicate),
  };
}

function applyOperation(store: SliceStore, key: SliceKey, op: SliceOp<unknown>): void {
  freezeValues(op, className(key), store.rules.policyOf(key) === 'state');
  if (op.kind !== 'clear') store.rules.requireRecordable(key);
  switch (op.kind) {
    case 'append':
      store.write(key, store.peek(key).append(op.value));
      return;
    case 'extend':
      store.write(key, store.peek(key).appendAll(op.values));
      return;
    case 'replace':
      store.write(key, PersistentList.of(op.values));
      return;
    case 'clear': {
      const { where } = op;
      const kept = where === undefined ? [] : store.read(key).values.filter((value) => !where(value));
      store.write(key, PersistentList.of(kept));
    }
  }
}

function freezeValues(op: SliceOp<unknown>, place: string, mustRollBack: boolean): void {
  const values = op.kind === 'append' ? [op.value] : op.kind === 'clear' ? [] : op.values;
  for (const value of values) freezeState(value, place, mustRollBack);
}

/** Freezes an event before reducers get it. @throws SessionError E807, E801 */
export function freezeEvent(rules: SliceRules, event: object): void {
  if (typeof (event as { constructor?: unknown } | null | undefined)?.constructor !== 'function')
    throw new SessionError(`expected an instance of a class, got ${describeValue(event)}`, {
      code: 'E807',
      place: 'dispatch',
    });
  freezeState(event, className(event.constructor), rules.changesState(event.constructor as SliceKey));
}

/**
 * Runs the reducers of an event's class in order; without any, adds the event to the slice of its class.
 *
 * @param onError receives the error of a reducer; if it returns, the next reducer runs
 */
export function runReducer(
  store: SliceStore,
  event: object,
  context: ReducerContext,
  onError: (error: unknown, slice: SliceKey) => void,
): void {
  const type = event.constructor as SliceKey;
  const registered = store.rules.reducersOf(type);
  if (registered === undefined) {
    applyOperation(store, type, { kind: 'append', value: event });
    return;
  }
  for (const { slice, reduce: reducer } of registered) {
    try {
      applyOperation(store, slice, requireOperation(reducer(createView(store, slice), event, context), slice));
    } catch (error) {
      onError(error, slice);
    }
  }
}

/** Checks that a reducer returned an operation: returning nothing, or the new state, would silently have no effect. */
function requireOperation(given: SliceOp<unknown> | null | undefined, slice: SliceKey): SliceOp<unknown> {
  if (given !== null && given !== undefined && KINDS.has(given.kind)) return given;
  ignoreRejection(given);
  const isPromise = isThenable(given);
  throw new SessionError(`a reducer returned ${describeValue(given)}, where an operation is expected`, {
    code: 'E802',
    place: className(slice),
    remedy: isPromise
      ? 'Make it synchronous: await asynchronous work before, and pass its result in the event.'
      : 'Return an operation of SliceOps, such as SliceOps.replace(state).',
  });
}

/** Time and id of one event; creates the id on first use, since most reducers do not need it. */
export class EventContext implements ReducerContext {
  readonly time: number;
  readonly #ids: IdSource;
  #id: string | undefined;

  constructor(clock: Clock, ids: IdSource) {
    this.time = clock.now();
    this.#ids = ids;
  }

  get id(): string {
    return (this.#id ??= this.#ids());
  }
}

/** The interface to one slice for handlers and hosts. */
export class Slice<T> implements SlicePort<T> {
  readonly #store: SliceStore;
  readonly #key: SliceKey;
  readonly #session: Pick<SessionPort, 'dispatch'>;

  constructor(store: SliceStore, key: SliceKey, session: Pick<SessionPort, 'dispatch'>) {
    if (typeof (key as unknown) !== 'function') {
      throw new SessionError(`a slice is identified by its class, and ${describeValue(key)} was passed`, {
        code: 'E307',
        remedy: 'Pass the class; where two files import each other, move it into a third one that both import.',
      });
    }
    if (isTableClass(key)) throw createNotSliceError(key);
    this.#store = store;
    this.#key = key;
    this.#session = session;
  }

  latest(): T | undefined {
    return findLatest(this.#store, this.#key) as T | undefined;
  }

  all(): readonly T[] {
    return this.#store.read(this.#key).values as readonly T[];
  }

  where(predicate: (value: T) => boolean): readonly T[] {
    return this.all().filter(predicate);
  }

  seed(values: T | readonly T[]): void {
    applyOperation(this.#store, this.#key, {
      kind: 'replace',
      values: Array.isArray(values) ? (values as readonly T[]) : [values],
    });
  }

  update(change: (draft: Draft<T>) => unknown, where?: (value: T) => boolean): number {
    const latest = where === undefined ? this.latest() : undefined;
    if (where === undefined && latest === undefined) throw createNothingToUpdateError(className(this.#key));
    const values = this.all();
    // The initial state becomes one of the values only when it is changed.
    const before = values.length === 0 && latest !== undefined ? [latest] : values;
    const after = before.map((value, at) => {
      const isMeant = where === undefined ? at === before.length - 1 : where(value);
      return isMeant ? changeDraft(value, change, className(this.#key)) : value;
    });
    const count = after.filter((value, at) => value !== before[at]).length;
    if (count > 0) this.seed(after);
    return count;
  }

  clear(predicate?: (value: T) => boolean): void {
    applyOperation(this.#store, this.#key, {
      kind: 'clear',
      where: predicate as ((value: unknown) => boolean) | undefined,
    });
  }

  append(value: T & object): void {
    this.#session.dispatch(value);
  }
}
