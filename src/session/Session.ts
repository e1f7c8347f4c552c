import { randomId } from '../common/builtins.js';
import { brand } from '../common/brand.js';
import { className } from '../common/classes.js';
import { isRecord } from '../common/guards.js';
import { describeValue, keyText, messageOf } from '../common/text.js';
import type { AbstractConstructor, Constructor } from '../common/types.js';
import { SessionError } from '../error/infrastructureErrors.js';
import { findUnknownOption, type OptionNames } from '../error/optionNames.js';
import type { Clock, Logger } from '../interface/ports.js';
import type { SessionPort, SlicePort, StateTable } from '../interface/SessionPort.js';
import type { ReducerFunction } from '../interface/SliceOp.js';
import { systemClock } from '../limit/clocks.js';
import { builtInRules, SliceRegistry, type SliceDeclaration } from './slice/SliceRegistry.js';
import { ChildSessions } from './ChildSessions.js';
import { skipFreezing } from './state/freezeState.js';
import { readSession, writeSession, type SessionJson, type SessionJsonBounds } from './sessionJson.js';
import type { SessionSnapshot } from './SessionSnapshot.js';
import { SessionState } from './SessionState.js';
import { SliceRules, type SlicePolicy } from './slice/SliceRules.js';
import { EventContext, freezeEvent, runReducer, Slice, type SliceKey } from './slice/SliceStore.js';

/** Options of a session; all have defaults. */
export interface SessionOptions {
  readonly id?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Receives errors of reducers outside of calls, and warnings about state that is read unchecked. Without it, nothing is logged. */
  readonly logger?: Logger | undefined;
  /** The session that started this one, such as the session of an agent with sub-agents. Nothing is inherited from it. */
  readonly parent?: Session | undefined;
  /** The id of a parent in another process. */
  readonly parentId?: string | null | undefined;
  /** Tags for finding the session. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** State and event classes to install at creation, and the names under which `toJSON` writes them. */
  readonly slices?: readonly (Constructor | SliceDeclaration)[] | undefined;
}

const names: OptionNames<SessionOptions> = { id: 1, clock: 1, logger: 1, parent: 1, parentId: 1, tags: 1, slices: 1 };

/** Options of `Session.fromJSON`: values that JSON does not contain, and a limit. */
export interface SessionFromJsonOptions extends Omit<SessionOptions, 'id' | 'parentId' | 'tags'>, SessionJsonBounds {}

/** A slice of a session, to which reducers can be added. */
export interface RegistrableSlice<T> extends SlicePort<T> {
  /** Runs `reducer` on this slice for every event of exactly this class. */
  register<E extends object>(
    event: AbstractConstructor<E>,
    reducer: ReducerFunction<T, E>,
    options?: { readonly policy?: SlicePolicy | undefined },
  ): void;
}

/** Options of `toJSON`. */
export interface SessionToJsonOptions {
  readonly logs?: boolean | undefined;
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
  /** The base for transactions of tool calls. @internal */
  readonly base: SessionState;
  /** The reducers of each event. @internal */
  readonly rules: SliceRules;
  readonly clock: Clock;
  readonly logger: Logger | undefined;
  /** Frozen. */
  readonly tags: Readonly<Record<string, string>>;
  /** Null also for a session that was read from JSON without its parent. */
  readonly parent: Session | null;
  readonly parentId: string | null;
  /** The names of slices in JSON. @internal */
  readonly registry: SliceRegistry;
  /** The sessions that name this one as their parent. @internal */
  readonly offspring = new ChildSessions<Session>();

  /** @throws SessionError E801 for state with dates, E802 for wrong reducers, E804 for invalid options */
  constructor(options?: SessionOptions);
  /** @internal */
  constructor(options: SessionOptions | undefined, isRead: boolean);
  constructor(options: SessionOptions = {}, isRead = false) {
    const unknown = findUnknownOption(options, names);
    if (unknown !== undefined) throw new SessionError(unknown, { code: 'E804', place: 'new Session' });
    this.id = options.id ?? randomId();
    this.clock = options.clock ?? systemClock;
    this.logger = options.logger;
    this.tags = readTags(options.tags);
    this.rules = new SliceRules();
    this.rules.adopt(builtInRules);
    this.registry = new SliceRegistry(options.slices);
    this.base = new SessionState(this.id, this.rules, this.registry);
    this.rules.installAll(this.registry.declared, isRead);
    this.parent = readParent(options);
    this.parentId = this.parent?.id ?? options.parentId ?? null;
    // Last, so that a parent never lists a session whose construction failed.
    this.parent?.offspring.add(this);
  }

  /**
   * Restores a session written by `toJSON`: id, parent's id, tags and the values of slices, as instances of their classes and
   * frozen as their slices require. Checks the types that `@Field` declares, and warns the logger of other properties, once for
   * each class. See docs/contract.md, 8.
   *
   * @param json the result of `JSON.parse`
   * @param options `slices` as in the written session
   * @throws SessionError E806 with the place of an unreadable value, or for more than `maxValues`; E809 for a slice of the user;
   * E801, E802, E804 for the slices and options
   */
  static fromJSON(json: unknown, { maxValues, ...options }: SessionFromJsonOptions = {}): Session {
    const reading = { registry: new SliceRegistry(options.slices), logger: options.logger };
    const { id, parentId, tags, ...state } = readSession(json, reading, maxValues);
    // The slices need no initial state: they get the written one.
    const session = new Session({ ...options, id, parentId, tags }, true);
    session.base.fill(state);
    return session;
  }

  /**
   * Replaces the values of the slices with the values that `toJSON` wrote; keeps id, parent and tags. Empties LOG slices that were not
   * written.
   *
   * @throws SessionError E806 with the place of an unreadable value, or for more than `maxValues`; E809 for a slice of the user;
   * nothing is changed then
   */
  load(json: unknown, { maxValues }: SessionJsonBounds = {}): void {
    const state = readSession(json, this, maxValues);
    this.reset();
    this.base.fill(state);
  }

  /** The sessions created with this one as their parent, oldest first, without garbage-collected ones. */
  get children(): readonly Session[] {
    return this.offspring.all;
  }

  /**
   * A number that grows with every change of a STATE slice, including commits of tool calls; rolling back a call or adding to a
   * log does not change it. Counts from the creation of this object: JSON does not contain it.
   */
  get version(): number {
    return this.base.version;
  }

  slice<T>(type: AbstractConstructor<T>): RegistrableSlice<T> {
    const slice = new Slice<T>(this.base, type, this);
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

  /** Returns the table of a class that `slices` lists; changes that the host makes to it belong to no call, and are not undone. */
  table<T extends StateTable>(type: AbstractConstructor<T>): T {
    return this.base.tableOf(type) as StateTable as T;
  }

  /** Runs the reducers of the event's class; logs the error of a reducer, and runs the others. */
  dispatch(event: object): void {
    freezeEvent(this.rules, event);
    this.#runReducers(event);
  }

  /**
   * Runs the reducers registered for exactly the class of a telemetry event, such as `ToolInvoked`; does nothing without any.
   * Neither freezes nor refuses the event. Never throws (docs/contract.md, 8 and 9).
   *
   * @internal
   */
  observe(event: object): void {
    if (this.rules.reducersOf(event.constructor as SliceKey) === undefined) return;
    skipFreezing(event);
    this.#runReducers(event);
  }

  #runReducers(event: object): void {
    runReducer(this.base, event, new EventContext(this.clock, randomId), (error, slice) => {
      const place = `A reducer of ${className(slice)} failed for ${className(event.constructor)}`;
      try {
        this.logger?.error(`${place}: ${messageOf(error)}`, { error });
      } catch {
        // A logger that throws must not keep the other reducers from running.
      }
    });
  }

  /**
   * Registers the `@Reducer` methods of a state class. A repeated call changes the given options.
   *
   * @throws SessionError E802 if two of them take the same event, or one is static
   */
  install<S extends object>(
    state: Constructor<S>,
    options: { readonly initial?: (() => S) | undefined; readonly policy?: SlicePolicy | undefined } = {},
  ): void {
    this.rules.install(state, options.initial, options.policy);
  }

  /**
   * Takes a snapshot of the slices, at a cost that does not depend on their contents. Includes LOG slices only with `logs`, and
   * never slices with `scope: 'user'`.
   */
  snapshot({ logs = false }: { readonly logs?: boolean | undefined } = {}): SessionSnapshot {
    return this.base.snapshot(logs);
  }

  /**
   * Restores the contents of the slices, including empty ones. A running tool call that has read a slice conflicts, even if the
   * values are the same again. Slices with `scope: 'user'` stay as they are.
   *
   * @param options `preserveLogs: false` restores LOG slices as well, and empties them if the snapshot was taken without them
   * @throws SessionError E803 for a snapshot of a session that is neither this one nor related to it by `clone`
   */
  restore(
    snapshot: SessionSnapshot,
    { preserveLogs = true }: { readonly preserveLogs?: boolean | undefined } = {},
  ): void {
    this.base.restore(snapshot, preserveLogs);
  }

  /** Empties all slices of the conversation, including LOG slices; reducers and policies are kept. */
  reset(): void {
    this.base.reset();
  }

  /**
   * Creates an independent session with the same state, reducers, names, tags, clock, logger and parent. Later changes of one do
   * not affect the other; children stay with this one.
   */
  clone({ id }: { readonly id?: string | undefined } = {}): Session {
    const { clock, logger, parentId, tags } = this;
    const parent = this.parent ?? undefined;
    const copy = new Session({ id, clock, logger, parent, parentId, tags, slices: this.registry.declared });
    copy.rules.adopt(this.rules);
    copy.base.adopt(this.base);
    return copy;
  }

  /**
   * Returns the session as plain data: id, parent's id, tags, and the values of its slices under their registered names.
   * Properties keep their own names, and dates become ISO 8601 texts; secrets and `@Exclude`d properties are left out, and so are
   * slices with `scope: 'user'`, which the store keeps.
   *
   * @param options `logs: true` also writes LOG slices; `JSON.stringify` passes a key instead, which is ignored
   * @throws SessionError E805 with the place of a value that could not be read back unchanged, or of a slice without a name
   */
  toJSON(options?: SessionToJsonOptions | string): SessionJson {
    const { logs = false } = typeof options === 'object' ? options : {};
    return writeSession(this, logs);
  }
}
brand(Session, 'Session');

function readParent({ parent, parentId }: SessionOptions): Session | null {
  if (parent === undefined) return null;
  if (!(parent instanceof Session)) {
    throw new SessionError(`expected a session, got ${describeValue(parent)}`, { code: 'E804', place: 'parent' });
  }
  if (parentId !== undefined && parentId !== parent.id) {
    const problem = `the parent is session ${parent.id}, and parentId says ${describeValue(parentId)}`;
    throw new SessionError(problem, { code: 'E804', place: 'parent' });
  }
  return parent;
}

function readTags(tags: unknown = {}): Readonly<Record<string, string>> {
  if (!isRecord(tags)) throw createTagsError('tags', 'a record of strings', tags);
  for (const [tag, value] of Object.entries(tags))
    if (typeof value !== 'string') throw createTagsError(`tags.${keyText(tag)}`, 'a string', value);
  return Object.freeze(Object.fromEntries(Object.entries(tags as Readonly<Record<string, string>>)));
}

function createTagsError(place: string, expected: string, value: unknown): SessionError {
  return new SessionError(`expected ${expected}, got ${describeValue(value)}`, { code: 'E804', place });
}
