import type { ProgressToken, ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import type { RunEvent } from '../../../evaluate/RunOptions.js';
import type { ToolProgressed } from '../../../event/ToolProgressed.js';

/** Of progress that says no fraction: too little to be mistaken for some, and still more than before, as the protocol wants. */
const STEP = 0.001;

/** Tells the client how far one call has come, as long as it runs. */
export class ProgressEmitter {
  readonly #token: ProgressToken | undefined;
  readonly #callId: string;
  readonly #send: (notification: ServerNotification) => void;
  #last = -STEP;
  #hasFraction = false;
  #isOver = false;

  /** @param token undefined where the client does not want to know */
  constructor(token: ProgressToken | undefined, callId: string, send: (notification: ServerNotification) => void) {
    this.#token = token;
    this.#callId = callId;
    this.#send = send;
  }

  hear(event: RunEvent): void {
    const progressToken = this.#token;
    if (progressToken === undefined || this.#isOver || !isProgressOf(event, this.#callId)) return;
    const { fraction, message } = event;
    if (fraction !== undefined) this.#hasFraction = true;
    this.#last = Math.max(rounded(this.#last + STEP), (fraction ?? 0) * 100);
    this.#send({
      method: 'notifications/progress',
      params: {
        progressToken,
        progress: this.#last,
        ...(this.#hasFraction ? { total: 100 } : {}),
        ...(message === undefined ? {} : { message }),
      },
    });
  }

  /** From now on nothing is told: the answer comes. */
  end(): void {
    this.#isOver = true;
  }
}

function rounded(progress: number): number {
  return Number(progress.toFixed(3));
}

/** Of the call itself: what it calls in turn has another measure. Told by its fields, since two builds may be loaded. */
function isProgressOf(event: RunEvent, callId: string): event is ToolProgressed {
  return 'callId' in event && event.callId === callId && !('kind' in event) && !('provider' in event);
}
