import { ignoreRejection } from '../common/classes.js';
import { MAX_PORT_REPORTS } from '../common/limits.js';
import { describeValue, messageOf } from '../common/text.js';
import { formatMessage, ToolwrightError } from '../error/ToolwrightError.js';
import type { Logger } from '../interface/ports.js';

/** Calls ports of the host, checks their answers, and logs E414 once for each fault. */
export class PortGuard {
  readonly #logger: Logger;
  readonly #reported = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Returns the answer of a port if it has the expected type, and otherwise the default. */
  answer<T>(
    port: string,
    ask: () => unknown,
    isExpected: (given: unknown) => given is T,
    expected: string,
    byDefault: () => T,
  ): T {
    try {
      const given = ask();
      if (isExpected(given)) return given;
      ignoreRejection(given);
      this.#report(port, `it returned ${describeValue(given)}, expected ${expected}`);
    } catch (cause) {
      this.#report(port, `it threw: ${messageOf(cause)}`, cause);
    }
    return byDefault();
  }

  /** Logs a fault once: a port is called for every call. */
  #report(place: string, problem: string, cause?: unknown): void {
    if (this.#reported.has(`${place} ${problem}`) || this.#reported.size >= MAX_PORT_REPORTS) return;
    this.#reported.add(`${place} ${problem}`);
    const details = { code: 'E414', place, cause } as const;
    const error = new ToolwrightError(formatMessage(problem, details), details);
    this.#logger.error(error.message, { error });
  }
}
