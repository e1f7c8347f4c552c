import type { ProgressToken, ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import type { RunEvent } from 'toolwright';
import type { ToolProgressed } from 'toolwright/events';

/** The step of progress without a fraction. It is negligible, but the protocol requires an increase. */
const STEP = 0.001;

/** Sends the progress of one call to the client while it runs. */
export class ProgressEmitter {
  readonly #token: ProgressToken | undefined;
  readonly #callId: string;
  readonly #send: (notification: ServerNotification) => void;
  #last = -STEP;
  #hasFraction = false;
  #isOver = false;

  /** @param token undefined if the client did not ask for progress */
  constructor(token: ProgressToken | undefined, callId: string, send: (notification: ServerNotification) => void) {
    this.#token = token;
    this.#callId = callId;
    this.#send = send;
  }

  emit(event: RunEvent): void {
    const progressToken = this.#token;
    if (progressToken === undefined || this.#isOver || !isProgressOf(event, this.#callId)) return;
    const { fraction, message } = event;
    if (fraction !== undefined) this.#hasFraction = true;
    this.#last = Math.max(roundProgress(this.#last + STEP), (fraction ?? 0) * 100);
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

  /** Stops sending. Call it before the answer is sent. */
  end(): void {
    this.#isOver = true;
  }
}

function roundProgress(progress: number): number {
  return Number(progress.toFixed(3));
}

/** Checks for progress of the call itself, not of nested calls. Compares fields, because two builds may be loaded. */
function isProgressOf(event: RunEvent, callId: string): event is ToolProgressed {
  return 'callId' in event && event.callId === callId && !('kind' in event) && !('provider' in event);
}
