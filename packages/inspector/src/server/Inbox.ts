import type { QuestionReply } from 'toolwright/conversations';
import type { ApprovalInbox, InboxItem } from './ApprovalInbox.js';
import { InspectorError } from './InspectorError.js';
import type { StoredQuestions } from './StoredQuestions.js';

/** All calls and questions that wait for a person: calls of this process, and questions of runs that are parked in a store. */
export class Inbox {
  readonly #calls: ApprovalInbox | undefined;
  readonly #stored: StoredQuestions | undefined;

  constructor(calls: ApprovalInbox | undefined, stored: StoredQuestions | undefined) {
    this.#calls = calls;
    this.#stored = stored;
  }

  /** True if anything can wait here. */
  get isOpen(): boolean {
    return this.#calls !== undefined || this.#stored !== undefined;
  }

  /** The oldest first. */
  get waiting(): readonly InboxItem[] {
    const all = [...(this.#calls?.waiting ?? []), ...(this.#stored?.waiting ?? [])];
    return all.sort((one, other) => one.since - other.since);
  }

  /** Calls the listener after each change until the returned function is called. */
  listen(listener: () => void): () => void {
    const leaving = [this.#calls?.listen(listener), this.#stored?.listen(listener)];
    return () => {
      for (const leave of leaving) leave?.();
    };
  }

  /**
   * Answers a waiting call or question.
   *
   * @returns `late` if it was answered before, or its run has ended
   * @throws InspectorError 400 for a reply that a call of this process does not accept, 404 if it is not waiting any more
   */
  async answer(id: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    const said = await this.#stored?.answer(id, reply);
    if (said !== undefined) return said;
    if (reply.kind !== 'approved' && reply.kind !== 'denied')
      throw new InspectorError(400, 'a call that waits in this process is approved or denied', `call ${id}`);
    if (this.#calls === undefined) throw new InspectorError(404, 'this question is not waiting any more', id);
    const { by: _by, ...decision } = reply;
    this.#calls.answer(id, decision);
    return 'taken';
  }
}
