import { isText } from '../common/guards.js';
import { randomId } from '../common/builtins.js';
import type { MaskHook } from '../dispatch/redact/ErrorMask.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import type { Clock, IdSource, Logger, TokenEstimator } from '../interface/ports.js';
import { approximateTokens } from '../limit/approximateTokens.js';
import { systemClock } from '../limit/clocks.js';
import { HIDDEN } from '../schema/write/secrets.js';
import type { ApplicationOptions } from './ApplicationOptions.js';
import { PortGuard } from './PortGuard.js';

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
    ids: ids === undefined ? randomId : () => guard.answer('ids', ids, isId, 'a text', randomId),
    random:
      random === undefined
        ? Math.random
        : () => guard.answer('random', random, isShare, 'a number from 0 to 1', Math.random),
    estimator:
      estimator === undefined
        ? approximateTokens
        : (text) =>
            guard.answer('tokenEstimator', () => estimator(text), isCount, 'a number from 0 up', refuseEstimate),
    redact: redact && guardRedact(redact, guard),
    maskError: guardMask(maskErrors, guard),
  };
}

/** Guards a hook that redacts texts: where it fails, the whole text is hidden. */
export function guardRedact(redact: (text: string) => string, guard: PortGuard): (text: string) => string {
  const hide = (): string => HIDDEN;
  return (text) => guard.answer('redact', () => redact(text), isText, 'a text', hide);
}

function guardMask(mask: ApplicationOptions['maskErrors'], guard: PortGuard): MaskHook | undefined {
  if (mask === undefined || mask === false) return undefined;
  const byDefault = (): undefined => undefined;
  if (mask === true) return byDefault;
  return (error) => guard.answer('maskErrors', () => mask(error), isMaskText, 'a text or undefined', byDefault);
}

function guardClock(clock: Clock, guard: PortGuard): Clock {
  const now = (): number => systemClock.now();
  const monotonic = (): number => systemClock.monotonic();
  return {
    now: () => guard.answer('clock.now', () => clock.now(), isTime, 'milliseconds', now),
    monotonic: () => guard.answer('clock.monotonic', () => clock.monotonic(), isTime, 'milliseconds', monotonic),
    ...(clock.sleep === undefined ? {} : { sleep: clock.sleep.bind(clock) }),
  };
}

function refuseEstimate(): never {
  throw new ToolwrightError('The tokenEstimator did not return a number of tokens.', { code: 'E512' });
}

function isId(given: unknown): given is string {
  return isText(given) && given !== '';
}

function isTime(given: unknown): given is number {
  return Number.isFinite(given);
}

function isMaskText(given: unknown): given is string | undefined {
  return given === undefined || isText(given);
}

function isCount(given: unknown): given is number {
  return Number.isFinite(given) && (given as number) >= 0;
}

function isShare(given: unknown): given is number {
  return isCount(given) && given <= 1;
}
