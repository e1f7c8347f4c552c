import type { RunEntry, SessionDelta } from '../../../interface/RunEntry.js';
import type { Session } from '../../../session/Session.js';
import type { EntryLog } from '../log/EntryLog.js';
import type { SessionLink, StateLink } from './SessionLink.js';
import { type ChangeSource, listSharedSessions, SharedSessionLink } from './SharedSessionLink.js';
import { createNoMemoryError, isUserSession } from './userMemory.js';

/** The session of a run with slices of the user: a shared session has their state, and the log of the conversation has the rest. */
export class UserSessionLink implements StateLink {
  readonly #user: SharedSessionLink;
  /** Undefined if the host keeps the state of the conversation. */
  readonly #own: SessionLink | undefined;

  private constructor(user: SharedSessionLink, own: SessionLink | undefined) {
    this.#user = user;
    this.#own = own;
  }

  /**
   * Brings the slices of the user to their state.
   *
   * @throws PromptEvaluationError E759 if the session has state of a user already; E810 for state that the slices cannot hold; E709
   */
  static async open(
    source: ChangeSource,
    name: string,
    given: { readonly session: Session; readonly log: EntryLog; readonly own: SessionLink | undefined },
  ): Promise<UserSessionLink> {
    const { session, log, own } = given;
    requireUser(log.entries, name);
    requireNoUserState(session);
    claimed.add(session);
    return new UserSessionLink(await SharedSessionLink.open(source, name, { session, log, scope: 'user' }), own);
  }

  get sharedSession(): string {
    return this.#user.sharedSession;
  }

  get version(): number {
    return this.#user.version;
  }

  isOf(session: Session): boolean {
    return this.#user.isOf(session);
  }

  delta(): SessionDelta | undefined {
    this.#user.delta();
    return this.#own?.delta();
  }

  refresh(): Promise<void> {
    return this.#user.refresh();
  }

  unmark(): void {
    this.#own?.unmark();
  }
}

/**
 * Refuses the memory of another user than the one that the conversation began with: its messages show what is remembered.
 *
 * @throws PromptEvaluationError E759
 */
export function requireUser(entries: readonly RunEntry[], name: string): void {
  const other = listSharedSessions(entries).find((shared) => shared !== name);
  if (other === undefined) return;
  throw isUserSession(other)
    ? createNoMemoryError(
        'runMetadata.principal',
        'the conversation began with the memory of another principal',
        'Pass the principal that the conversation began with, or begin a conversation for each user.',
      )
    : createNoMemoryError(
        'slices',
        'the conversation has a shared session, which has all of its state',
        "Leave out sharedSession in a new conversation, or the scope 'user' of its slices.",
      );
}

/** Sessions with the state of a user. Two conversations over one would write each change twice. */
const claimed = new WeakSet<Session>();

function requireNoUserState(session: Session): void {
  const { base } = session;
  const isEmpty = [...base.slicesOf('user').values()].every(({ length }) => length === 0);
  if (isEmpty && base.tablesOf('user').size === 0 && !claimed.has(session)) return;
  throw createNoMemoryError(
    'session',
    "another conversation uses the session, or its slices with scope 'user' have values already",
    'Pass each conversation a session of its own, with these slices empty: the store has their values.',
  );
}
