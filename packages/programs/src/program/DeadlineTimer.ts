import type { Deadline } from 'toolwright';
import { MAX_TIMER_MS } from '../limits.js';

/** Aborts a controller when the deadline of a run passes, even while a program is checked or waits for its turn. */
export class DeadlineTimer {
  #hasPassed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(deadline: Deadline | undefined, controller: AbortController) {
    if (deadline === undefined) return;
    const pass = (): void => {
      if (deadline.remaining > 0) this.#timer = setTimeout(pass, Math.min(deadline.remaining, MAX_TIMER_MS));
      else {
        this.#hasPassed = true;
        controller.abort();
      }
    };
    pass();
  }

  /** Returns true if the deadline has ended the program. */
  get hasPassed(): boolean {
    return this.#hasPassed;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
