import { randomUUID } from 'node:crypto';
import { className } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import type { AbstractConstructor, Constructor } from '../common/types.js';
import type { Clock } from '../interface/Clock.js';
import type { Logger } from '../interface/Logger.js';
import type { SessionPort, SlicePort } from '../interface/SessionPort.js';
import type { Reducer } from '../interface/SliceOp.js';
import { systemClock } from '../limit/SystemClock.js';
import { PersistentList } from './PersistentList.js';
import { SliceRules, type SlicePolicy } from './SliceRules.js';
import { freezeEvent, reduce, Slice, type SliceKey } from './SliceStore.js';
import type { TransactionBase } from './SessionTransaction.js';

/** How a session is made; everything has a default. */
export interface SessionOptions {
  readonly id?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Hears of reducers that throw outside a call. Nothing is logged without one. */
  readonly logger?: Logger | undefined;
}

/** A slice of a session, to which reducers can be added. */
export interface RegistrableSlice<T> extends SlicePort<T> {
  /** Runs `reducer` on this slice for every event of exactly the class. */
  register<E extends object>(
    event: AbstractConstructor<E>,
    reducer: Reducer<T, E>,
    options?: { readonly policy?: SlicePolicy },
  ): void;
}

/**
 * The state of one conversation: typed slices, changed by events and reducers, and rolled back with a failed tool call
 * (runtime contract, 8).
 *
 * @example
 * const session = new Session();
 * session.install(Plan, { initial: () => new Plan() });
 * session.dispatch(new AddStep('Look the order up'));
 * session.slice(Plan).latest();
 */
export class Session implements SessionPort {
  readonly id: string;
  /** What tool calls build their transactions on. */
  readonly base: TransactionBase;
  /** Which reducers run for which event. */
  readonly rules: SliceRules;
  readonly clock: Clock;
  readonly logger: Logger | undefined;

  constructor(options: SessionOptions = {}) {
    this.id = options.id ?? randomUUID();
    this.clock = options.clock ?? systemClock;
    this.logger = options.logger;
    this.rules = new SliceRules();
    this.base = createBase(this.id, this.rules);
  }

  slice<T>(type: AbstractConstructor<T>): RegistrableSlice<T> {
    const slice = new Slice<T>(this.base, type, (event) => {
      this.dispatch(event);
    });
    return Object.assign(slice, {
      register: <E extends object>(
        event: AbstractConstructor<E>,
        reducer: Reducer<T, E>,
        { policy }: { readonly policy?: SlicePolicy } = {},
      ) => {
        this.rules.register(type, event, reducer as Reducer<unknown, unknown>, policy);
      },
    });
  }

  /** Runs the reducers of the event's class; one that throws is logged, and the others run. */
  dispatch(event: object): void {
    freezeEvent(this.rules, event);
    const context = { time: this.clock.now(), id: randomUUID() };
    reduce(this.base, event, context, (error, slice) => {
      this.logger?.error(
        `A reducer of ${className(slice)} failed for ${className(event.constructor)}: ${messageOf(error)}`,
        { error },
      );
    });
  }

  /**
   * Registers the `@Reducer` methods of a state class.
   *
   * @throws SessionError E802 when two of them take one event, or one is static
   */
  install<S extends object>(
    state: Constructor<S>,
    options: { readonly initial?: () => S; readonly policy?: SlicePolicy } = {},
  ): void {
    this.rules.install(state, options.initial, options.policy ?? 'state');
  }
}

function createBase(id: string, rules: SliceRules): TransactionBase {
  const slices = new Map<SliceKey, PersistentList<unknown>>();
  const get = (key: SliceKey): PersistentList<unknown> => slices.get(key) ?? PersistentList.empty;
  const write = (key: SliceKey, list: PersistentList<unknown>): void => {
    slices.set(key, list);
  };
  return {
    id,
    rules,
    closed: false,
    read: get,
    peek: get,
    current: get,
    noteRead: () => undefined,
    write,
    take: (writes) => {
      for (const [key, list] of writes) write(key, list);
    },
  };
}
