import { className } from '../common/classes.js';
import { describeValue } from '../common/text.js';
import type { AbstractConstructor } from '../common/types.js';
import { SessionError } from '../error/infrastructureErrors.js';
import type { ReducerContext, SliceOp, SliceView } from '../interface/SliceOp.js';
import type { SlicePort } from '../interface/SessionPort.js';
import { freezeState } from './freezeState.js';
import { PersistentList } from './PersistentList.js';
import type { SliceRules } from './SliceRules.js';

/** The class that names a slice. */
export type SliceKey = AbstractConstructor<unknown>;

const KINDS: ReadonlySet<string> = new Set<SliceOp<unknown>['kind']>(['append', 'extend', 'replace', 'clear']);

/** Where slices are kept: a session, or the overlay of a call. */
export interface SliceStore {
  readonly rules: SliceRules;
  /** The slice's state, noted as read: a later change from outside is then a conflict. */
  read(key: SliceKey): PersistentList<unknown>;
  /** The slice's state where only its end is needed to append: no read. */
  peek(key: SliceKey): PersistentList<unknown>;
  write(key: SliceKey, list: PersistentList<unknown>): void;
}

/** What a reducer sees. */
function viewOf(store: SliceStore, key: SliceKey): SliceView<unknown> {
  return {
    latest: () => store.read(key).last,
    all: () => store.read(key).values,
    where: (predicate) => store.read(key).values.filter(predicate),
  };
}

/** Does to a slice what a reducer said. */
function apply(store: SliceStore, key: SliceKey, op: SliceOp<unknown>): void {
  if (store.rules.isInstalled(key)) freezeValues(op, className(key), store.rules.policyOf(key) === 'state');
  switch (op.kind) {
    case 'append':
      store.write(key, store.peek(key).append(op.value));
      return;
    case 'extend':
      store.write(
        key,
        op.values.reduce<PersistentList<unknown>>((list, value) => list.append(value), store.peek(key)),
      );
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

/** Freezes an event before anybody sees it. @throws SessionError E807, E801 */
export function freezeEvent(rules: SliceRules, event: object): void {
  if (typeof (event as { constructor?: unknown } | null | undefined)?.constructor !== 'function')
    throw new SessionError(`expected an instance of a class, got ${describeValue(event)}`, {
      code: 'E807',
      place: 'dispatch',
    });
  freezeState(event, className(event.constructor), rules.changesState(event.constructor as SliceKey));
}

/**
 * Runs the reducers of an event's class in order; without any, the event goes to the slice of its class.
 *
 * @param onError takes what a reducer throws; when it returns, the next reducer runs
 */
export function reduce(
  store: SliceStore,
  event: object,
  context: ReducerContext,
  onError: (error: unknown, slice: SliceKey) => void,
): void {
  const type = event.constructor as SliceKey;
  const registered = store.rules.reducersOf(type);
  if (registered === undefined) {
    apply(store, type, { kind: 'append', value: event });
    return;
  }
  for (const { slice, reduce: reducer } of registered) {
    try {
      apply(store, slice, checked(reducer(viewOf(store, slice), event, context), slice));
    } catch (error) {
      onError(error, slice);
    }
  }
}

/** What a reducer gave, if it is an operation: one that forgets it, or gives the new state, would do nothing without a word. */
function checked(given: SliceOp<unknown> | null | undefined, slice: SliceKey): SliceOp<unknown> {
  if (given !== null && given !== undefined && KINDS.has(given.kind)) return given;
  throw new SessionError(`a reducer gave ${describeValue(given)}, where an operation is expected`, {
    code: 'E802',
    place: className(slice),
    remedy: 'Return what SliceOps makes, such as SliceOps.replace(state).',
  });
}

/** One slice, for handlers and hosts. */
export class Slice<T> implements SlicePort<T> {
  readonly #store: SliceStore;
  readonly #key: SliceKey;
  readonly #dispatch: (event: object) => void;

  constructor(store: SliceStore, key: SliceKey, dispatch: (event: object) => void) {
    if (typeof (key as unknown) !== 'function') {
      throw new SessionError(`a slice is named by its class, and ${describeValue(key)} was given`, {
        code: 'E307',
        remedy: 'Pass the class; where two files import each other, move it into a third one that both import.',
      });
    }
    this.#store = store;
    this.#key = key;
    this.#dispatch = dispatch;
  }

  latest(): T | undefined {
    return this.#store.read(this.#key).last as T | undefined;
  }

  all(): readonly T[] {
    return this.#store.read(this.#key).values as readonly T[];
  }

  where(predicate: (value: T) => boolean): readonly T[] {
    return this.all().filter(predicate);
  }

  seed(values: T | readonly T[]): void {
    apply(this.#store, this.#key, {
      kind: 'replace',
      values: Array.isArray(values) ? (values as readonly T[]) : [values],
    });
  }

  clear(predicate?: (value: T) => boolean): void {
    apply(this.#store, this.#key, { kind: 'clear', where: predicate as ((value: unknown) => boolean) | undefined });
  }

  append(value: T & object): void {
    this.#dispatch(value);
  }
}
