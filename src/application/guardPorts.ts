import { randomId } from '../common/builtins.js';
import { ignoreRejection } from '../common/classes.js';
import { aText, formOf, type DataForm } from '../common/dataForm.js';
import { isText } from '../common/guards.js';
import { MAX_PORT_REPORTS } from '../common/limits.js';
import { describeValue, messageOf } from '../common/text.js';
import type { MaskHook } from '../dispatch/redact/ErrorMask.js';
import { createPlacedError } from '../error/ToolwrightError.js';
import { isId } from '../error/requireId.js';
import { reportPort } from '../event/publishTo.js';
import type { Clock, IdSource, Logger, TokenEstimator } from '../interface/ports.js';
import { approximateTokens } from '../limit/approximateTokens.js';
import { systemClock } from '../limit/clocks.js';
import { HIDDEN } from '../schema/write/secrets.js';
import type { ApplicationOptions } from './ApplicationOptions.js';

const anId = formOf('a text', isId);
const aTime = formOf('milliseconds', Number.isFinite);
const aMaskText = formOf('a text or undefined', (given) => given === undefined || isText(given));
const aTokenCount = formOf('a number from 0 up', (given) => Number.isFinite(given) && (given as number) >= 0);
const aShare = formOf('a number from 0 to 1', (given) => aTokenCount(given) === undefined && (given as number) <= 1);

/** Calls ports of the host, checks their answers, and logs E414 once for each fault. */
export class PortGuard {
  readonly #logger: Logger;
  readonly #reported = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Returns the answer of a port if it has the expected form, and otherwise the default. */
  answer<T>(port: string, ask: () => T, form: DataForm, byDefault: () => T): T {
    try {
      const given = ask();
      const misfit = form(given);
      if (misfit === undefined) return given;
      ignoreRejection(given);
      this.#report(port, `it returned ${describeValue(given)}, expected ${misfit.expected}`);
    } catch (cause) {
      this.#report(port, `it threw: ${messageOf(cause)}`, cause);
    }
    return byDefault();
  }

  /** Logs a fault once: a port is called for every call. */
  #report(place: string, problem: string, cause?: unknown): void {
    if (this.#reported.has(`${place} ${problem}`) || this.#reported.size >= MAX_PORT_REPORTS) return;
    this.#reported.add(`${place} ${problem}`);
    reportPort(this.#logger, place, problem, cause);
  }
}

/** The small ports of an application. None of them can end a run or a call. */
export interface GuardedPorts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly random: () => number;
  /** Throws E512 if the host's estimator fails: without a number, no budget holds (decision 26). */
  readonly estimator: TokenEstimator;
  readonly redact: ((text: string) => string) | undefined;
  /** Undefined if nothing is masked. */
  readonly maskError: MaskHook | undefined;
}

/**
 * Guards the small ports of a host. If one throws or returns a value of the wrong type, E414 is logged once for each
 * such fault and the default is used. A text that cannot be redacted is hidden.
 */
export function guardPorts(options: ApplicationOptions, logger: Logger): GuardedPorts {
  const guard = new PortGuard(logger);
  const { clock, ids, random, tokenEstimator: estimator, redact, maskErrors } = options;
  return {
    clock: clock === undefined ? systemClock : guardClock(clock, guard),
    ids: ids === undefined ? randomId : () => guard.answer('ids', ids, anId, randomId),
    random: random === undefined ? Math.random : () => guard.answer('random', random, aShare, Math.random),
    estimator:
      estimator === undefined
        ? approximateTokens
        : (text) => guard.answer('tokenEstimator', () => estimator(text), aTokenCount, refuseEstimate),
    redact: redact && guardRedact(redact, guard),
    maskError: guardMask(maskErrors, guard),
  };
}

/** Guards a hook that redacts texts: where it fails, the whole text is hidden. */
export function guardRedact(redact: (text: string) => string, guard: PortGuard): (text: string) => string {
  const hide = (): string => HIDDEN;
  return (text) => guard.answer('redact', () => redact(text), aText, hide);
}

function guardMask(mask: ApplicationOptions['maskErrors'], guard: PortGuard): MaskHook | undefined {
  if (mask === undefined || mask === false) return undefined;
  const byDefault = (): undefined => undefined;
  if (mask === true) return byDefault;
  return (error) => guard.answer('maskErrors', () => mask(error), aMaskText, byDefault);
}

function guardClock(clock: Clock, guard: PortGuard): Clock {
  const now = (): number => systemClock.now();
  const monotonic = (): number => systemClock.monotonic();
  return {
    now: () => guard.answer('clock.now', () => clock.now(), aTime, now),
    monotonic: () => guard.answer('clock.monotonic', () => clock.monotonic(), aTime, monotonic),
    ...(clock.sleep === undefined ? {} : { sleep: clock.sleep.bind(clock) }),
  };
}

function refuseEstimate(): never {
  throw createPlacedError('the tokenEstimator did not return a number of tokens', { code: 'E512' });
}

/** Wraps the logger of the host so that it cannot break a run: its errors are dropped. */
export function guardLogger(logger: Logger): Logger {
  const quietly =
    (level: keyof Logger): Logger['warn'] =>
    (message, fields) => {
      try {
        const write: (message: string, fields?: Readonly<Record<string, unknown>>) => unknown =
          logger[level].bind(logger);
        ignoreRejection(write(message, fields));
      } catch {
        // A full disk must not end a tool call, and there is no other place to report it.
      }
    };
  return Object.freeze({
    debug: quietly('debug'),
    info: quietly('info'),
    warn: quietly('warn'),
    error: quietly('error'),
  });
}
