import { type BoundPrompt, type Message, type ModelResponse, Session } from 'toolwright';
import type { InterceptedRequest, Interceptor, Next } from 'toolwright/policies';

/** A request of a run as it was sent, and everything that is needed to send it again. */
export interface Moment {
  readonly run: string;
  readonly turn: number;
  readonly prompt: BoundPrompt;
  readonly metadata: Readonly<Record<string, string>>;
  /** Without the system message. Secrets are as they were sent: nothing of it reaches the page. */
  readonly messages: readonly Message[];
  /** A copy of the session, as it was. */
  readonly session: Session;
  /** What the model answered; undefined until it has, or if it failed. */
  answer?: ModelResponse | undefined;
}

/** Remembers the requests of runs, so that another run can go on from each of them, until the runs are forgotten. */
export class Moments implements Interceptor {
  /** By run and turn; moments of a run share the messages and slices that they hold. */
  readonly #runs = new Map<string, Map<number, Moment>>();

  async aroundModel({ run, turn, request }: InterceptedRequest, next: Next<ModelResponse>): Promise<void> {
    const { session, rendered } = run;
    const prompt = (rendered as { readonly prompt?: unknown } | undefined)?.prompt;
    if (!(session instanceof Session) || !isBound(prompt)) {
      await next();
      return;
    }
    const moment: Moment = {
      ...{ run: run.id, turn, prompt, metadata: run.metadata },
      messages: request.messages.filter(({ role }) => role !== 'system'),
      session: session.clone(),
    };
    const moments = this.#runs.get(run.id) ?? new Map<number, Moment>();
    this.#runs.set(run.id, moments.set(turn, moment));
    moment.answer = await next();
  }

  /** Forgets the requests of a run: its record is not kept any more. */
  forget(run: string): void {
    this.#runs.delete(run);
  }

  /** The number of requests that are remembered. */
  get count(): number {
    return [...this.#runs.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** @param turn 1 for the first request */
  of(run: string, turn: number): Moment | undefined {
    return this.#runs.get(run)?.get(turn);
  }
}

function isBound(prompt: unknown): prompt is BoundPrompt {
  return typeof (prompt as Partial<BoundPrompt> | undefined)?.render === 'function';
}
