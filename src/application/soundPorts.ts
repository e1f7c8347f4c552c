import { randomId } from '../common/builtins.js';
import { ignoreRejection } from '../common/classes.js';
import { describeValue, messageOf } from '../common/text.js';
import { report, ToolwrightError } from '../error/ToolwrightError.js';
import type { Clock } from '../interface/Clock.js';
import type { IdSource } from '../interface/IdSource.js';
import type { Logger } from '../interface/Logger.js';
import type { TokenEstimator } from '../interface/TokenEstimator.js';
import { approximateTokens } from '../limit/approximateTokens.js';
import { systemClock } from '../limit/SystemClock.js';
import { HIDDEN } from '../schema/secrets.js';
import type { ApplicationOptions } from './ApplicationOptions.js';

/** The small ports of an application, none of which can end a run or a call. */
export interface SoundPorts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly random: () => number;
  /** Throws E512 where the host's fails: without a number, no budget holds (decision 26). */
  readonly estimator: TokenEstimator;
  readonly redact: ((text: string) => string) | undefined;
}

/**
 * Guards the small ports of a host: where one throws or answers with something of another kind, the log has one E414 for each
 * such fault, and the answer of the default takes its place; what cannot be redacted is hidden.
 */
export function soundPorts(options: ApplicationOptions, logger: Logger): SoundPorts {
  const guard = new PortGuard(logger);
  const { clock, ids, random, tokenEstimator: estimator, redact } = options;
  return {
    clock: clock === undefined ? systemClock : soundClock(clock, guard),
    ids: ids === undefined ? randomId : () => guard.answer('ids', ids, isId, 'a text', randomId),
    random:
      random === undefined
        ? Math.random
        : () => guard.answer('random', random, isShare, 'a number from 0 to 1', Math.random),
    estimator:
      estimator === undefined
        ? approximateTokens
        : (text) => guard.answer('tokenEstimator', () => estimator(text), isCount, 'a number from 0 up', noEstimate),
    redact:
      redact &&
      ((text) =>
        guard.answer(
          'redact',
          () => redact(text),
          isText,
          'a text',
          () => HIDDEN,
        )),
  };
}

function soundClock(clock: Clock, guard: PortGuard): Clock {
  const now = (): number => systemClock.now();
  const monotonic = (): number => systemClock.monotonic();
  return {
    now: () => guard.answer('clock.now', () => clock.now(), isTime, 'milliseconds', now),
    monotonic: () => guard.answer('clock.monotonic', () => clock.monotonic(), isTime, 'milliseconds', monotonic),
    ...(clock.sleep === undefined ? {} : { sleep: clock.sleep.bind(clock) }),
  };
}

class PortGuard {
  readonly #logger: Logger;
  readonly #reported = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Returns the answer of a port if it is of the expected kind; otherwise that of the default. */
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
      this.#report(port, `it gave ${describeValue(given)}, where ${expected} is expected`);
    } catch (cause) {
      this.#report(port, `it threw: ${messageOf(cause)}`, cause);
    }
    return byDefault();
  }

  /** Once for each fault: a port is asked for every call. */
  #report(place: string, problem: string, cause?: unknown): void {
    if (this.#reported.has(`${place} ${problem}`) || this.#reported.size >= MOST_REPORTS) return;
    this.#reported.add(`${place} ${problem}`);
    const details = { code: 'E414', place, cause } as const;
    const error = new ToolwrightError(report(problem, details), details);
    this.#logger.error(error.message, { error });
  }
}

const MOST_REPORTS = 100;

function noEstimate(): never {
  throw new ToolwrightError('The tokenEstimator gave no number of tokens.', { code: 'E512' });
}

function isId(given: unknown): given is string {
  return typeof given === 'string' && given !== '';
}

function isText(given: unknown): given is string {
  return typeof given === 'string';
}

function isTime(given: unknown): given is number {
  return Number.isFinite(given);
}

function isCount(given: unknown): given is number {
  return Number.isFinite(given) && (given as number) >= 0;
}

function isShare(given: unknown): given is number {
  return isCount(given) && given <= 1;
}
