import { keyText } from '../../../common/text.js';
import { createEvaluationError, type PromptEvaluationError } from '../../../error/PromptError.js';
import type { RunEntry } from '../../../interface/RunEntry.js';
import type { SharedChange } from '../../../interface/RunStore.js';
import type { Session } from '../../../session/Session.js';
import type { SliceScope } from '../../../session/slice/SliceRegistry.js';
import type { EntryLog } from '../log/EntryLog.js';
import { applyStored, SessionLink } from './SessionLink.js';
import { createMemoryError, isUserSession, type MemoryStore } from './userMemory.js';

/** Where the changes of a shared session are read. */
export type ChangeSource = Pick<MemoryStore, 'sessionChanges'>;

interface SharedPart {
  /** Without state of the scope. */
  readonly session: Session;
  /** The log of the conversation that the session is used in. */
  readonly log: EntryLog;
  /** `user` for only the slices of the user; all others by default. */
  readonly scope?: SliceScope | undefined;
}

/**
 * The session that several conversations share: a store has its changes under its name, each with the version after the one before. A
 * change is appended together with the entry of its call, and refused together with it if another conversation was first.
 */
export class SharedSessionLink extends SessionLink {
  readonly sharedSession: string;
  readonly #source: ChangeSource;
  readonly #log: EntryLog;
  /** The version that the session has, with the changes of this process that are not stored yet. */
  #version = 0;

  private constructor(source: ChangeSource, name: string, { session, log, scope }: SharedPart) {
    super(session, scope);
    this.sharedSession = name;
    this.#source = source;
    this.#log = log;
    // Slices of the user have names, and others may be unnamed if the host keeps the state of the conversation.
    if (scope !== 'user') this.requireNames();
  }

  /**
   * Brings a session, or its slices of the user, to their shared state.
   *
   * @throws PromptEvaluationError E726 if the conversation has a state of its own, or one of another name; E709
   */
  static async open(source: ChangeSource, name: string, part: SharedPart): Promise<SharedSessionLink> {
    if (part.scope !== 'user') requireSession(part.log.entries, name);
    const link = new SharedSessionLink(source, name, part);
    await link.refresh();
    return link;
  }

  /** The version of the session as this process has it; 0 before the first change. */
  get version(): number {
    return this.#version;
  }

  /** Has the next append of the log keep how the session changed; its entries have nothing of it. */
  override delta(): undefined {
    const delta = super.delta();
    if (delta === undefined) return undefined;
    this.#version++;
    this.#log.stageChange(this.sharedSession, { version: this.#version, delta });
    return undefined;
  }

  override unmark(): void {
    // The changes stay staged: the next append has them.
  }

  /**
   * Applies the changes of other conversations, so that calls which used the changed state conflict.
   *
   * @throws PromptEvaluationError E726 for a change of state that `prepare` names no class for; E709
   */
  async refresh(): Promise<void> {
    const changes = await this.#source.sessionChanges(this.sharedSession, this.#version);
    // Stage the changes of this process first: the append stores them before these, or refuses them.
    this.delta();
    for (const change of changes) if (change.version > this.#version) this.#apply(change);
    this.markWritten();
  }

  #apply({ version, delta }: SharedChange): void {
    const refuse = (problem: string, cause: unknown): Error => {
      const place = `its change ${String(version)} cannot be restored: ${problem}`;
      return this.scope === 'user'
        ? createMemoryError(this.sharedSession, place, cause)
        : createSharedSessionError(this.sharedSession, place, cause);
    };
    applyStored(this.session, delta, refuse, this.scope);
    this.#version = version;
  }
}

/**
 * Refuses another session than the one that a conversation began with, which would lose its state or mix both.
 *
 * @param name of the shared session; undefined if the log has the state
 * @throws PromptEvaluationError E726
 */
export function requireSession(entries: readonly RunEntry[], name: string | undefined): void {
  const other = listSharedSessions(entries).find((shared) => shared !== name && !isUserSession(shared));
  if (other !== undefined)
    throw createSharedSessionError(
      other,
      `the conversation began with it, and prepare returned ${name === undefined ? 'none' : keyText(name)}`,
    );
  if (name !== undefined && entries.some((entry) => 'session' in entry && entry.session !== undefined))
    throw createSharedSessionError(name, 'the log of the conversation has a state of its own');
}

export function listSharedSessions(entries: readonly RunEntry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.kind === 'run' ? (entry.sharedSession ?? []) : []));
}

function createSharedSessionError(name: string, problem: string, cause?: unknown): PromptEvaluationError {
  const remedy =
    'Have prepare return the same sharedSession for every run of a conversation, and the same slices for every conversation over it.';
  return createEvaluationError(problem, { code: 'E726', place: `the shared session ${keyText(name)}`, remedy, cause });
}
