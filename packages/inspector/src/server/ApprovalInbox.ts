import type { ApprovalAnswer, Approver } from 'toolwright/policies';
import { toPlain } from './sendAnswers.js';
import { InspectorError } from './InspectorError.js';

/** The durable run that a waiting call belongs to. */
interface StoredOrigin {
  readonly run: string;
  readonly conversation: string;
  /** Ids of runs and conversations count within it; left out without a tenant. */
  readonly tenant?: string;
  readonly about: 'approval' | 'unknown';
}

/** A call that waits for an answer. */
export interface WaitingCall {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly since: number;
  readonly session: string;
  /** Of a run that is parked in a store: `unknown` for a call that was cut off, of which nobody knows what it did. */
  readonly stored?: StoredOrigin | undefined;
  /** What it would change, where it can be rehearsed. */
  changed?: unknown;
  /** Why nothing is shown of what it would change. */
  unknown?: string | undefined;
}

type Approve = Approver['approve'];

/** What the inbox learns of a call from the inspector. */
export interface CallInspection {
  /** Its arguments without secrets. */
  shown(callId: string): unknown;
  /** A text of it, such as the message of an error, without its secrets. */
  recorded(callId: string, text: string): string;
  /** What it would change. */
  changes(call: Parameters<Approve>[0], context: Parameters<Approve>[1]): Promise<unknown>;
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
    { readonly call: WaitingCall; readonly answer: (answer: ApprovalAnswer) => void }
  >();
  readonly #listeners = new Set<() => void>();
  #inspection: CallInspection | undefined;
  #count = 0;

  approve(...[call, context]: Parameters<Approve>): Promise<ApprovalAnswer> {
    return new Promise((resolve) => {
      const id = String(++this.#count);
      const waiting: WaitingCall = {
        ...{ id, tool: call.tool.name, since: Date.now(), session: context.session.id },
        // Params may hold secrets: without the inspector, nothing is shown.
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
  get waiting(): readonly WaitingCall[] {
    return [...this.#waiting.values()].map(({ call }) => call);
  }

  /** Answers a call. @throws InspectorError 404 if it does not wait any more */
  answer(id: string, answer: ApprovalAnswer): void {
    const found = this.#waiting.get(id);
    if (found === undefined) throw new InspectorError(404, 'this call does not wait any more', `call ${id}`);
    found.answer(answer);
  }

  /** Calls the listener after each change; the returned function ends that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Shows, from now on, the arguments of calls and what they would change. */
  inspectWith(inspection: CallInspection | undefined): void {
    this.#inspection = inspection;
  }

  async #readChanges(waiting: WaitingCall, ...asked: Parameters<Approve>): Promise<void> {
    const inspection = this.#inspection;
    if (inspection === undefined) return;
    try {
      waiting.changed = toPlain(await inspection.changes(...asked));
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be rehearsed';
      // A line alone could hold a part of a secret, which would not be found.
      waiting.unknown = inspection.recorded(asked[0].call.id, why).split('\n', 1).join('');
    }
    this.#notifyListeners();
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener();
  }
}
