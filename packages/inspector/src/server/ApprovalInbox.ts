import type { ApprovalAnswer, Approver, CallContext, ParsedCall } from 'toolwright/policies';
import { toPlain } from './sendAnswers.js';
import { InspectorError } from './InspectorError.js';

/** The durable run that a waiting call belongs to. */
interface StoredOrigin {
  readonly run: string;
  readonly conversation: string;
  /** The tenant of the run, within which ids of runs and conversations are unique; left out without a tenant. */
  readonly tenant?: string;
  readonly about: 'approval' | 'unknown';
}

/** A call that waits for an answer. */
export interface InboxItem {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly since: number;
  readonly session: string;
  /** The parked run to which the call belongs. Its `about` is `unknown` if the process ended during the call, so its effect is not known. */
  readonly stored?: StoredOrigin | undefined;
  /** The changes that a rehearsal of the call found. */
  changed?: unknown;
  /** The reason why no changes are shown. */
  unknown?: string | undefined;
}

/** Reads a call for the inbox: its arguments and changes, without secrets. */
export interface InboxReader {
  /** Returns the arguments of a call without secrets. */
  shown(callId: string): unknown;
  /** Returns a text about a call, such as an error message, without the secrets of the call. */
  recorded(callId: string, text: string): string;
  /** Rehearses a call and returns its changes. */
  changes(call: ParsedCall, context: CallContext): Promise<unknown>;
}

/**
 * An approver whose questions the inspector answers: give it to `createApplication`, and then to the inspector.
 *
 * @example
 * const approvals = new ApprovalInbox();
 * const app = await createApplication({ prompts: [Desk], approver: approvals });
 * await serveInspector({ app }, { approvals, allowCalls: true });
 */
export class ApprovalInbox implements Approver {
  readonly #waiting = new Map<
    string,
    { readonly call: InboxItem; readonly answer: (answer: ApprovalAnswer) => void }
  >();
  readonly #listeners = new Set<() => void>();
  #inspection: InboxReader | undefined;
  #count = 0;

  approve(call: ParsedCall, context: CallContext): Promise<ApprovalAnswer> {
    return new Promise((resolve) => {
      const id = String(++this.#count);
      const waiting: InboxItem = {
        id,
        tool: call.tool.name,
        since: Date.now(),
        session: context.session.id,
        // Params may hold secrets. Without the inspector they cannot be removed, so no arguments are shown.
        arguments: toPlain(this.#inspection?.shown(call.call.id)),
      };
      const done = (): void => {
        this.#waiting.delete(id);
        this.#notifyListeners();
      };
      context.signal.addEventListener('abort', done, { once: true });
      this.#waiting.set(id, {
        call: waiting,
        answer: (answer) => {
          done();
          resolve(answer);
        },
      });
      this.#notifyListeners();
      void this.#readChanges(waiting, call, context);
    });
  }

  /** The calls that wait, the oldest first. */
  get waiting(): readonly InboxItem[] {
    return [...this.#waiting.values()].map(({ call }) => call);
  }

  /** Answers a call. @throws InspectorError 404 if the call is not waiting any more */
  answer(id: string, answer: ApprovalAnswer): void {
    const found = this.#waiting.get(id);
    if (found === undefined) throw new InspectorError(404, 'this call is not waiting any more', `call ${id}`);
    found.answer(answer);
  }

  /** Calls the listener after each change until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Sets the reader that shows arguments and changes of calls from now on. */
  inspectWith(inspection: InboxReader | undefined): void {
    this.#inspection = inspection;
  }

  async #readChanges(waiting: InboxItem, call: ParsedCall, context: CallContext): Promise<void> {
    const inspection = this.#inspection;
    if (inspection === undefined) return;
    try {
      waiting.changed = toPlain(await inspection.changes(call, context));
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be rehearsed';
      // Secrets are removed from the whole text first: a single line may hold a part of one, which would not be recognised.
      waiting.unknown = inspection.recorded(call.call.id, why).split('\n', 1).join('');
    }
    this.#notifyListeners();
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener();
  }
}
