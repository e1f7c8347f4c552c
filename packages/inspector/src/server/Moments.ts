import { type BoundPrompt, type Message, type ModelResponse, Session } from 'toolwright';
import type { InterceptedRequest, Interceptor, Next } from 'toolwright/policies';

/** A request of a run as it was sent, and everything needed to send it again. */
export interface Moment {
  readonly run: string;
  readonly turn: number;
  readonly prompt: BoundPrompt;
  readonly metadata: Readonly<Record<string, string>>;
  /** The messages without the system message. They hold secrets as sent, so they never reach the page. */
  readonly messages: readonly Message[];
  /** A copy of the session, as it was. */
  readonly session: Session;
  /** The answer of the model; undefined before it, or if the request failed. */
  answer?: ModelResponse | undefined;
}

/** Remembers the requests of runs, so that another run can continue from each of them, until the runs are forgotten. */
export class Moments implements Interceptor {
  /** Moments by run and turn. Moments of a run share messages and slices. */
  readonly #runs = new Map<string, Map<number, Moment>>();

  async aroundModel({ run, turn, request }: InterceptedRequest, next: Next<ModelResponse>): Promise<void> {
    const { session, rendered } = run;
    const prompt = (rendered as { readonly prompt?: unknown } | undefined)?.prompt;
    if (!(session instanceof Session) || !isBound(prompt)) {
      await next();
      return;
    }
    const moment: Moment = {
      run: run.id,
      turn,
      prompt,
      metadata: run.metadata,
      messages: request.messages.filter(({ role }) => role !== 'system'),
      session: session.clone(),
    };
    const moments = this.#runs.get(run.id) ?? new Map<number, Moment>();
    this.#runs.set(run.id, moments.set(turn, moment));
    moment.answer = await next();
  }

  /** Forgets the requests of a run once its record is dropped. */
  forget(run: string): void {
    this.#runs.delete(run);
  }

  /** The number of remembered requests. */
  get count(): number {
    return [...this.#runs.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns a request of a run. @param turn 1 for the first request */
  of(run: string, turn: number): Moment | undefined {
    return this.#runs.get(run)?.get(turn);
  }
}

function isBound(prompt: unknown): prompt is BoundPrompt {
  return typeof (prompt as Partial<BoundPrompt> | undefined)?.render === 'function';
}
