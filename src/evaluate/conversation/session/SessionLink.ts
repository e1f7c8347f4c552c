import { describeConversation } from '../conversationErrors.js';
import { isArray, isText } from '../../../common/guards.js';
import { describeValue } from '../../../common/text.js';
import { SessionError } from '../../../error/infrastructureErrors.js';
import { createEvaluationError, type PromptEvaluationError } from '../../../error/PromptError.js';
import type { RunEntry, SessionDelta } from '../../../interface/RunEntry.js';
import type { PersistentList } from '../../../session/table/PersistentList.js';
import type { Session } from '../../../session/Session.js';
import { applyDelta, writeDelta } from '../../../session/writeDelta.js';
import { requireSliceName, writeSession } from '../../../session/sessionJson.js';
import type { TableStates } from '../../../session/table/SessionTables.js';
import { FoundTools } from '../../../session/FoundTools.js';
import { VisibilityOverrides } from '../../../session/VisibilityOverrides.js';
import type { SliceScope } from '../../../session/slice/SliceRegistry.js';
import type { SliceKey } from '../../../session/slice/SliceStore.js';

/** The session of a conversation: gives it the recorded state, and writes down how it changed since. */
export class SessionLink implements StateLink {
  protected readonly session: Session;
  /** The slices that it writes down. */
  protected readonly scope: SliceScope;
  #written: ReadonlyMap<SliceKey, PersistentList<unknown>> = new Map();
  #tables: TableStates = new Map();
  /** The marks before the last `delta`; undefined if it found no change. */
  #before:
    { readonly written: ReadonlyMap<SliceKey, PersistentList<unknown>>; readonly tables: TableStates } | undefined;

  protected constructor(session: Session, scope: SliceScope = 'conversation') {
    this.session = session;
    this.scope = scope;
  }

  /**
   * Links a session to a conversation. One that is empty gets the recorded state; one with state must have exactly that.
   *
   * @param isShared true if the session may belong to other conversations, too
   * @throws PromptEvaluationError E726 if it belongs to another conversation, or has another state; E709 for recorded state that it cannot
   * hold
   */
  static of(session: Session, conversation: string, entries: readonly RunEntry[], isShared: boolean): SessionLink {
    if (session.rules.isRecorded && !isShared)
      throw createSessionError(conversation, 'the session belongs to another conversation already');
    const link = new SessionLink(session);
    const deltas = entries.flatMap((entry, at) =>
      'session' in entry && entry.session !== undefined ? [{ at, delta: entry.session }] : [],
    );
    if (deltas.length > 0) link.#restore(conversation, deltas);
    link.requireNames();
    return link;
  }

  /** Takes the state of the session as written. */
  markWritten(): void {
    const { base } = this.session;
    this.#written = new Map(base.slicesOf(this.scope));
    this.#tables = base.tablesOf(this.scope);
  }

  isOf(session: Session): boolean {
    return this.session === session;
  }

  /**
   * Returns how the session changed since the last time; undefined if it did not.
   *
   * @throws SessionError E805 for state that cannot be written
   */
  delta(): SessionDelta | undefined {
    this.#before = undefined;
    const { base } = this.session;
    const [slices, states] = [base.slicesOf(this.scope), base.tablesOf(this.scope)];
    if (slices.size + states.size === 0 && this.#written.size + this.#tables.size === 0) return undefined;
    const changed = [...slices].filter(([key, list]) => this.#written.get(key) !== list);
    const isSame =
      states.size === this.#tables.size && [...states].every(([key, state]) => this.#tables.get(key) === state);
    if (changed.length === 0 && isSame) return undefined;
    const delta = writeDelta(this.session, new Map(changed), this.#written, this.#tables, this.scope);
    this.#before = { written: this.#written, tables: this.#tables };
    this.markWritten();
    return delta;
  }

  /** Takes back the last `delta`, of which nothing was written. */
  unmark(): void {
    if (this.#before === undefined) return;
    this.#written = this.#before.written;
    this.#tables = this.#before.tables;
    this.#before = undefined;
  }

  /** Refuses a slice without a name before a call is committed. When the call is recorded, the run would end after its effects. */
  protected requireNames(): void {
    const { session } = this;
    session.rules.record((slice) => requireSliceName(slice, session.registry, 1));
  }

  #restore(conversation: string, deltas: readonly RecordedDelta[]): void {
    const { session } = this;
    const given = session.toJSON();
    const isEmpty = Object.keys(given.slices).length === 0;
    const target = isEmpty ? session : session.clone();
    if (!isEmpty) target.reset();
    for (const { at, delta } of deltas) applyRecorded(target, at, delta);
    if (!isEmpty && readState(target) !== readState(session))
      throw createSessionError(conversation, 'the session has another state than the conversation recorded');
    this.markWritten();
  }
}

/** All of the state as a text, also of tables that are as they were made: one that was put back may be recorded. */
function readState(session: Session): string {
  return JSON.stringify(writeSession(session, false, true).slices);
}

/** A change of the session, and the place of its entry. */
interface RecordedDelta {
  readonly at: number;
  readonly delta: SessionDelta;
}

function applyRecorded(session: Session, at: number, delta: SessionDelta): void {
  const refuse = (problem: string, { remedy, cause }: Partial<SessionError> = {}): Error => {
    const details = { remedy, cause, code: 'E709', place: `entries[${String(at)}].session` } as const;
    return createEvaluationError(`the recorded state cannot be restored: ${problem}`, details);
  };
  applyStored(session, delta, refuse);
  const visibility = session.slice(VisibilityOverrides).latest();
  const problem = visibility === undefined ? undefined : VisibilityOverrides.problemOf(visibility);
  if (problem !== undefined) throw refuse(`VisibilityOverrides: ${problem}`);
  const { names = [] }: { readonly names?: unknown } = session.slice(FoundTools).latest() ?? {};
  if (!isArray(names) || !names.every(isText))
    throw refuse(`FoundTools: names: expected a list of texts, got ${describeValue(names)}`);
}

/** Applies a stored change. @param refuse creates the error for a change that the session does not take */
export function applyStored(
  session: Session,
  delta: SessionDelta,
  refuse: (problem: string, cause: SessionError) => Error,
  scope?: SliceScope,
): void {
  try {
    applyDelta(session, delta, scope);
  } catch (cause) {
    if (!(cause instanceof SessionError)) throw cause;
    const [problem = ''] = cause.message.replace(/^E80\d /, '').split('\n', 1);
    throw refuse(problem, cause);
  }
}

function createSessionError(conversation: string, problem: string): PromptEvaluationError {
  const place = describeConversation(conversation);
  return createEvaluationError(`it cannot go on with this session: ${problem}`, { code: 'E726', place });
}

/** Writes down how the session of a run changes. */
export interface StateLink {
  /** The name of a session that other conversations share; undefined if the log of this one has the state. */
  readonly sharedSession?: string | undefined;
  /**
   * Returns how the session changed since the last time, for the next entry of the log; undefined if it did not, or if the changes are
   * kept elsewhere.
   *
   * @throws SessionError E805 for state that cannot be written
   */
  delta(): SessionDelta | undefined;
  /** Applies the changes of other conversations; left out where there can be none. */
  refresh?(): Promise<void>;
  /** Takes back the last `delta`, of which nothing was written. Left out if its changes are kept elsewhere. */
  unmark?(): void;
}
