import { setTimeout } from 'node:timers/promises';
import type { ChangedPart } from 'toolwright/own-loop';
import type { QuestionReply } from 'toolwright/conversations';
import type { OpenQuestion, Runs } from '@toolwright/durable';
import { MAX_SEEN_QUESTIONS, STORE_POLL_MS } from '../limits.js';
import { toPlain } from './sendAnswers.js';
import type { InboxItem } from './ApprovalInbox.js';

/** The questions of runs that are parked in a store, for the inbox that also shows calls of this process. */
export class StoredQuestions {
  readonly #runs: Pick<Runs, 'acrossTenants' | 'forTenant'>;
  readonly #rehearses: boolean;
  readonly #known = new Map<string, InboxItem>();
  readonly #listeners = new Set<() => void>();
  /** Every question seen so far, so that a late answer is recognised as late. */
  readonly #seen = new Map<string, OpenQuestion>();
  /** The digests of the rehearsals on the page. */
  readonly #rehearsals = new Map<string, string>();
  #isLooking = false;

  /** @param rehearses true to rehearse calls and show their changes */
  constructor(runs: Pick<Runs, 'acrossTenants' | 'forTenant'>, rehearses: boolean) {
    this.#runs = runs;
    this.#rehearses = rehearses;
  }

  /** The questions that waited at the last read, the oldest first. */
  get waiting(): readonly InboxItem[] {
    return [...this.#known.values()];
  }

  /** Polls the store and calls the listener after each change, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (!this.#isLooking) void this.#poll();
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Answers a question. Returns undefined if the question does not belong to a parked run.
   *
   * @returns `late` if it was answered before, or its run has ended
   */
  async answer(id: string, reply: QuestionReply): Promise<'taken' | 'late' | undefined> {
    const question = this.#seen.get(id);
    if (question === undefined) return undefined;
    // An approval on this page holds for the changes that the page shows.
    const seen = this.#rehearsals.get(id);
    const full = reply.kind === 'approved' && seen !== undefined ? { ...reply, seen } : reply;
    const said = await this.#runs.forTenant(question.tenant).reply(question.run, question.id, full);
    this.#known.delete(id);
    this.#notifyListeners();
    return said;
  }

  async #poll(): Promise<void> {
    this.#isLooking = true;
    while (this.#listeners.size > 0) {
      // A store that cannot be reached now may be reachable later. Keep the known questions.
      const open = await this.#readQuestions();
      if (open !== undefined) this.#update(open);
      await setTimeout(STORE_POLL_MS, undefined, { ref: false });
    }
    this.#isLooking = false;
  }

  async #readQuestions(): Promise<readonly OpenQuestion[] | undefined> {
    try {
      return await this.#runs.acrossTenants.questions();
    } catch {
      return undefined;
    }
  }

  #update(open: readonly OpenQuestion[]): void {
    const ids = new Set(open.map(idOf));
    const gone = [...this.#known.keys()].filter((id) => !ids.has(id));
    for (const id of gone) this.#known.delete(id);
    const fresh = open.filter((question) => !this.#known.has(idOf(question)));
    for (const question of fresh) {
      const { name: tool, askedAt: since, run, conversation, about, tenant } = question;
      const id = idOf(question);
      // Arguments may hold secrets, so they are shown only after the secrets are known.
      const stored = { run, conversation, ...(tenant === null ? {} : { tenant }), about };
      this.#known.set(id, { id, tool, since, arguments: null, session: '', stored });
      this.#remember(id, question);
      void this.#preview(id, question);
    }
    if (gone.length + fresh.length > 0) this.#notifyListeners();
  }

  #remember(id: string, question: OpenQuestion): void {
    this.#seen.set(id, question);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size <= MAX_SEEN_QUESTIONS || oldest === undefined) return;
    this.#seen.delete(oldest);
    this.#rehearsals.delete(oldest);
  }

  async #preview(id: string, question: OpenQuestion): Promise<void> {
    let shown: Pick<InboxItem, 'arguments' | 'changed' | 'unknown'>;
    try {
      const preview = await this.#runs
        .forTenant(question.tenant)
        .preview(question.run, question.id, { rehearses: this.#rehearses });
      const { arguments: given, rehearsal, problem, seen } = preview;
      if (seen !== undefined) this.#rehearsals.set(id, seen);
      const why = this.#rehearses ? problem : 'calls are not allowed, so nothing is rehearsed';
      const changed: readonly ChangedPart[] | undefined = rehearsal?.changed;
      shown = {
        arguments: toPlain(given),
        changed: changed && toPlain(changed),
        unknown: changed === undefined ? why : undefined,
      };
    } catch (error) {
      shown = { arguments: null, unknown: error instanceof Error ? error.message : 'its run could not be prepared' };
    }
    const known = this.#known.get(id);
    if (known === undefined) return;
    this.#known.set(id, { ...known, ...shown });
    this.#notifyListeners();
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener();
  }
}

function idOf({ id }: OpenQuestion): string {
  return id;
}
