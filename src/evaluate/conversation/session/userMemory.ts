import { sha256 } from '../../../common/builtins.js';
import { isText } from '../../../common/guards.js';
import { describeValue, keyText } from '../../../common/text.js';
import { createEvaluationError, type PromptEvaluationError } from '../../../error/PromptError.js';
import type { RunStore, SharedChange } from '../../../interface/RunStore.js';
import { Session, type SessionOptions } from '../../../session/Session.js';
import { applyStored } from './SessionLink.js';

/** The part of a store that keeps the memory of users. */
export interface MemoryStore {
  /** Returns the changes of a shared session after a version, in order. */
  sessionChanges(name: string, after?: number): Promise<readonly SharedChange[]>;
  /**
   * Empties a shared session for good, if it has changes: removes them, and leaves one change with `cleared` and the next version, so
   * that conversations which have read it notice, and none writes back what it has read.
   */
  clearSession(name: string): Promise<void>;
}

const PREFIX = 'toolwright:user:';

/**
 * Returns the name of the shared session with the slices of a user. It is a hash, so principals of any length and with any
 * characters are kept apart, and a store of many users does not list them.
 *
 * @throws PromptEvaluationError E758 for anything but a text of at least one character
 */
export function nameUserSession(place: string, principal: unknown): string {
  if (!isText(principal) || principal === '') {
    const problem = `slices with scope 'user' need the principal, a text of at least one character, and got ${describeValue(principal)}`;
    throw createEvaluationError(problem, { code: 'E758', place });
  }
  // JSON escapes lone surrogates, which a hash would take for the same character.
  return PREFIX + sha256(JSON.stringify(principal));
}

export function isUserSession(name: string): boolean {
  return name.startsWith(PREFIX);
}

/**
 * Checks the name of a session that a host shares.
 *
 * @param hasUserSlices true if slices of the run belong to the user: a run writes one shared session
 * @throws PromptEvaluationError E759
 */
export function requirePlainName(name: string, hasUserSlices: boolean): void {
  const place = `sharedSession: ${keyText(name)}`;
  if (isUserSession(name))
    throw createNoMemoryError(
      place,
      `names that begin with ${PREFIX} are for the slices of users`,
      'Choose another name.',
    );
  if (hasUserSlices)
    throw createNoMemoryError(
      place,
      "a run has either a shared session or slices with scope 'user'",
      "Leave out sharedSession, or the scope 'user'.",
    );
}

/** True for a store that keeps shared sessions, which the memory of a user is. */
export function keepsMemory(store: unknown): store is MemoryStore {
  const { sessionChanges, clearSession } = (store ?? {}) as { readonly [K in keyof MemoryStore]?: unknown };
  return typeof sessionChanges === 'function' && typeof clearSession === 'function';
}

/**
 * Forgets everything that slices with `scope: 'user'` remember of a user, in the tenant of the store. A running conversation of the
 * user finds them empty with its next call; a call that has read them runs again. What was said stays in the conversations until
 * they are deleted.
 *
 * @param store a store with shared sessions, such as `SqliteRuns`, `PostgresRuns` or `MemoryRuns`
 * @param principal `runMetadata.principal` of the user's runs
 * @throws PromptEvaluationError E758 for anything but a text of at least one character, E759 for a store without shared sessions,
 * E709 if the store fails
 *
 * @example
 * await forgetUser(store.forTenant('acme'), 'ada');
 */
export async function forgetUser(store: RunStore | MemoryStore, principal: string): Promise<void> {
  const name = nameUserSession('forgetUser', principal);
  if (!keepsMemory(store)) throw createNoMemoryError('forgetUser', 'the store has no shared sessions');
  await store.clearSession(name);
}

/**
 * Reads what is remembered of a user, e.g. to show it to the user. Changes of the returned session are not stored.
 *
 * @param store as in `forgetUser`
 * @param principal `runMetadata.principal` of the user's runs
 * @param slices the slices to read, with `scope: 'user'`; others stay empty
 * @throws PromptEvaluationError E758, E759 also without such a slice, E709; E810 for state that the slices cannot hold; SessionError E804
 *
 * @example
 * const session = await readUser(store, 'ada', [{ type: Facts, scope: 'user' }]);
 * console.log(session.slice(Facts).latest());
 */
export async function readUser(
  store: RunStore | MemoryStore,
  principal: string,
  slices: NonNullable<SessionOptions['slices']>,
): Promise<Session> {
  const name = nameUserSession('readUser', principal);
  if (!keepsMemory(store)) throw createNoMemoryError('readUser', 'the store has no shared sessions');
  const session = new Session({ slices });
  if (session.registry.userSlices.length === 0)
    throw createNoMemoryError(
      'readUser',
      "none of the slices has the scope 'user'",
      "List each slice to read as { type: Facts, scope: 'user' }.",
    );
  for (const { version, delta } of await store.sessionChanges(name)) {
    const refuse = (problem: string, cause: unknown): Error =>
      createMemoryError(name, `its change ${String(version)} cannot be restored: ${problem}`, cause);
    applyStored(session, delta, refuse, 'user');
  }
  return session;
}

export function createNoMemoryError(place: string, problem: string, remedy?: string): PromptEvaluationError {
  return createEvaluationError(problem, { code: 'E759', place, remedy });
}

/** Creates the error for stored changes that the slices of a run do not take. @param name of the shared session */
export function createMemoryError(name: string, problem: string, cause: unknown): PromptEvaluationError {
  return createEvaluationError(problem, { code: 'E810', place: `the memory of the user, ${keyText(name)}`, cause });
}
