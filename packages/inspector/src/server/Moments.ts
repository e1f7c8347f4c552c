import { Session, type BoundPrompt, type Message, type ModelResponse } from 'toolwright';
import type { InterceptedRequest, Interceptor, Next } from 'toolwright/interceptors';

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

/** Requests of long ago are forgotten; each holds a list of messages and one of slices, which share what they hold. */
const MOST = 5_000;

/** Remembers the requests of runs, so that another run can go on from each of them. */
export class Moments implements Interceptor {
  readonly #all = new Map<string, Moment>();

  async aroundModel({ run, turn, request }: InterceptedRequest, next: Next<ModelResponse>): Promise<void> {
    const { session, rendered } = run;
    const prompt = (rendered as { readonly prompt?: unknown } | undefined)?.prompt;
    if (!Session.is(session) || !isBound(prompt)) {
      await next();
      return;
    }
    const moment: Moment = {
      ...{ run: run.id, turn, prompt, metadata: run.metadata },
      messages: request.messages.filter(({ role }) => role !== 'system'),
      session: session.clone(),
    };
    const key = keyOf(run.id, turn);
    this.#all.set(key, moment);
    const [oldest] = this.#all.keys();
    if (this.#all.size > MOST && oldest !== undefined) this.#all.delete(oldest);
    moment.answer = await next();
  }

  /** @param turn 1 for the first request */
  of(run: string, turn: number): Moment | undefined {
    return this.#all.get(keyOf(run, turn));
  }
}

function isBound(prompt: unknown): prompt is BoundPrompt {
  return typeof (prompt as Partial<BoundPrompt> | undefined)?.render === 'function';
}

function keyOf(run: string, turn: number): string {
  return `${String(turn)} ${run}`;
}
