import { randomId } from '../common/builtins.js';
import { brand, hasBrand } from '../common/brand.js';
import { className } from '../common/classes.js';
import { describeValue, messageOf } from '../common/text.js';
import type { AbstractConstructor, Constructor } from '../common/types.js';
import { SessionError } from '../error/infrastructureErrors.js';
import type { Clock } from '../interface/Clock.js';
import type { Logger } from '../interface/Logger.js';
import type { SessionPort, SlicePort } from '../interface/SessionPort.js';
import type { ReducerFunction } from '../interface/SliceOp.js';
import { systemClock } from '../limit/SystemClock.js';
import { builtInRules } from './builtInSlices.js';
import { ChildSessions } from './ChildSessions.js';
import { skipFreezing } from './freezeState.js';
import { PersistentList } from './PersistentList.js';
import { reducerContext } from './reducerContext.js';
import { readSession, writeSession, type SessionJson } from './sessionJson.js';
import type { SessionSnapshot } from './SessionSnapshot.js';
import type { SessionTransaction } from './SessionTransaction.js';
import { SessionState } from './SessionState.js';
import { readTags } from './readTags.js';
import { SliceRegistry, type SliceDeclaration } from './SliceRegistry.js';
import { SliceRules, type SlicePolicy } from './SliceRules.js';
import { freezeEvent, reduce, Slice, type SliceKey } from './SliceStore.js';

/** How a session is made; everything has a default. */
export interface SessionOptions {
  readonly id?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Hears of reducers that throw outside a call. Nothing is logged without one. */
  readonly logger?: Logger | undefined;
  /** The session that this one was started from, such as that of an agent with sub-agents. Nothing is inherited from it. */
  readonly parent?: Session | undefined;
  /** The id of a parent that does not live in this process. */
  readonly parentId?: string | null | undefined;
  /** Words to find the session by. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** State and event classes that are installed at once, and the names under which `toJSON` writes them. */
  readonly slices?: readonly (Constructor | SliceDeclaration)[] | undefined;
}

/** How a session is read from JSON: what JSON does not hold. */
export type SessionFromJsonOptions = Omit<SessionOptions, 'id' | 'parentId' | 'tags'>;

/** A slice of a session, to which reducers can be added. */
export interface RegistrableSlice<T> extends SlicePort<T> {
  /** Runs `reducer` on this slice for every event of exactly the class. */
  register<E extends object>(
    event: AbstractConstructor<E>,
    reducer: ReducerFunction<T, E>,
    options?: { readonly policy?: SlicePolicy | undefined },
  ): void;
}

/** What of a session is written. */
export interface SessionToJsonOptions {
  readonly logs?: boolean | undefined;
  readonly with?: SessionTransaction | undefined;
}

/**
 * The state of one conversation: typed slices, changed by events and reducers, and rolled back with a failed tool call
 * (docs/contract.md, 8).
 *
 * @example
 * const session = new Session({ slices: [{ type: Plan, initial: () => new Plan() }] });
 * session.dispatch(new AddStep('Look the order up'));
 * session.slice(Plan).latest();
 * const later = Session.fromJSON(JSON.parse(JSON.stringify(session)), { slices: [Plan] });
 */
export class Session implements SessionPort {
  readonly id: string;
  /** What tool calls build their transactions on. */
  readonly base: SessionState;
  /** Which reducers run for which event. */
  readonly rules: SliceRules;
  readonly clock: Clock;
  readonly logger: Logger | undefined;
  /** Frozen. */
  readonly tags: Readonly<Record<string, string>>;
  /** Null also for a session that was read from JSON without its parent. */
  readonly parent: Session | null;
  readonly parentId: string | null;
  /** The names of slices in JSON. */
  readonly registry: SliceRegistry;
  /** Where sessions that name this one as their parent sign on. */
  readonly offspring = new ChildSessions<Session>();

  /** @throws SessionError E802 for wrong reducers, E804 for options that do not fit */
  constructor(options: SessionOptions = {}) {
    this.id = options.id ?? randomId();
    this.clock = options.clock ?? systemClock;
    this.logger = options.logger;
    this.tags = readTags(options.tags);
    this.rules = new SliceRules();
    this.rules.adopt(builtInRules);
    this.base = new SessionState(this.id, this.rules);
    this.registry = new SliceRegistry(options.slices);
    for (const { type, initial, policy } of this.registry.declared) this.rules.install(type, initial, policy);
    this.parent = readParent(options);
    this.parentId = this.parent?.id ?? options.parentId ?? null;
    // Last, so that a parent never lists a session that could not be made.
    this.parent?.offspring.add(this);
  }

  /** True for a session of any copy of the package. */
  static is(this: void, value: unknown): value is Session {
    return hasBrand(value, 'Session');
  }

  /**
   * A session with what `toJSON` wrote of another one: id, parent's id, tags and the values of slices, as instances of
   * their classes and frozen as their slices want it. See docs/contract.md, 8.
   *
   * @param json what `JSON.parse` gave
   * @param options `slices` as the written session had them
   * @throws SessionError E806 with the place of what cannot be read; E801, E802, E804 for the slices and options
   */
  static fromJSON(json: unknown, options: SessionFromJsonOptions = {}): Session {
    const { id, parentId, tags, slices } = readSession(json, new SliceRegistry(options.slices));
    const session = new Session({ ...options, id, parentId, tags });
    for (const [key, values] of slices) session.base.write(key, PersistentList.of(values));
    return session;
  }

  /**
   * Takes over the values that `toJSON` wrote, in place of its own; id, parent and tags stay. LOG slices that were not
   * written are emptied.
   *
   * @throws SessionError E806 with the place of what cannot be read; nothing is changed then
   */
  load(json: unknown): void {
    const { slices } = readSession(json, this.registry);
    this.reset();
    for (const [key, values] of slices) this.base.write(key, PersistentList.of(values));
  }

  /** Sessions that were made with this one as their parent and that somebody still holds, oldest first. */
  get children(): readonly Session[] {
    return this.offspring.all;
  }

  slice<T>(type: AbstractConstructor<T>): RegistrableSlice<T> {
    const slice = new Slice<T>(this.base, type, (event) => {
      this.dispatch(event);
    });
    return Object.assign(slice, {
      register: <E extends object>(
        event: AbstractConstructor<E>,
        reducer: ReducerFunction<T, E>,
        { policy }: { readonly policy?: SlicePolicy | undefined } = {},
      ) => {
        this.rules.register(type, event, reducer as ReducerFunction<unknown, unknown>, policy);
      },
    });
  }

  /** Runs the reducers of the event's class; one that throws is logged, and the others run. */
  dispatch(event: object): void {
    freezeEvent(this.rules, event);
    runReducers(this, event);
  }

  /**
   * Runs the reducers that are registered for exactly the class of a telemetry event, such as `ToolInvoked`; without any,
   * nothing happens. The event is kept as it is, neither frozen nor refused. Never throws (docs/contract.md, 8 and 9).
   */
  observe(event: object): void {
    if (this.rules.reducersOf(event.constructor as SliceKey) === undefined) return;
    skipFreezing(event);
    runReducers(this, event);
  }

  /**
   * Registers the `@Reducer` methods of a state class. Done again, it changes the options that are given.
   *
   * @throws SessionError E802 when two of them take one event, or one is static
   */
  install<S extends object>(
    state: Constructor<S>,
    options: { readonly initial?: (() => S) | undefined; readonly policy?: SlicePolicy | undefined } = {},
  ): void {
    this.rules.install(state, options.initial, options.policy);
  }

  /** What the slices hold now; costs the same whatever they hold. LOG slices only with `logs`. */
  snapshot({ logs = false }: { readonly logs?: boolean | undefined } = {}): SessionSnapshot {
    return this.base.snapshot(logs);
  }

  /**
   * Puts back what the slices held; those that were empty become empty. A tool call that runs meanwhile and has read a
   * slice conflicts, even where the same values are back.
   *
   * @param options `preserveLogs: false` restores LOG slices as well, and empties them when the snapshot was taken without
   * @throws SessionError E803 for a snapshot of a session that is neither this one nor related to it by `clone`
   */
  restore(
    snapshot: SessionSnapshot,
    { preserveLogs = true }: { readonly preserveLogs?: boolean | undefined } = {},
  ): void {
    this.base.restore(snapshot, preserveLogs);
  }

  /** Empties all slices, LOG slices too; reducers and policies stay. */
  reset(): void {
    this.base.reset();
  }

  /**
   * A session of its own with the same state, reducers, names, tags, clock, logger and parent. What happens to one of the
   * two later does not reach the other; children stay with this one.
   */
  clone({ id }: { readonly id?: string | undefined } = {}): Session {
    const { clock, logger, parent, parentId, tags, registry } = this;
    const copy = new Session({
      id,
      clock,
      logger,
      parent: parent ?? undefined,
      parentId,
      tags,
      slices: registry.declared,
    });
    copy.rules.adopt(this.rules);
    copy.base.adopt(this.base);
    return copy;
  }

  /**
   * The session as plain data: id, parent's id, tags, and what its slices hold under their registered names. Properties
   * have their own names, dates are ISO 8601 texts; secrets and `@Exclude`d properties are left out.
   *
   * @param options `logs: true` writes LOG slices as well; `with` writes as if a transaction were committed;
   * `JSON.stringify` gives a key instead, which says nothing
   * @throws SessionError E805 with the place of a value that could not be read back as it is, or a slice without a name
   */
  toJSON(options?: SessionToJsonOptions | string): SessionJson {
    const { logs = false, with: transaction } = typeof options === 'object' ? options : {};
    const { id, parentId, tags, registry, rules, base } = this;
    const slices = transaction === undefined ? base.slices : new Map([...base.slices, ...transaction.changes]);
    return writeSession({ id, parentId, tags, registry, rules, slices }, logs);
  }
}
brand(Session, 'Session');

function runReducers({ base, clock, logger }: Session, event: object): void {
  reduce(base, event, reducerContext(clock, randomId), (error, slice) => {
    const place = `A reducer of ${className(slice)} failed for ${className(event.constructor)}`;
    try {
      logger?.error(`${place}: ${messageOf(error)}`, { error });
    } catch {
      // A logger that throws must not keep the other reducers from running.
    }
  });
}

function readParent({ parent, parentId }: SessionOptions): Session | null {
  if (parent === undefined) return null;
  if (!Session.is(parent)) {
    throw new SessionError(`expected a session, got ${describeValue(parent)}`, { code: 'E804', place: 'parent' });
  }
  if (parentId !== undefined && parentId !== parent.id) {
    const problem = `the parent is session ${parent.id}, and parentId says ${describeValue(parentId)}`;
    throw new SessionError(problem, { code: 'E804', place: 'parent' });
  }
  return parent;
}
