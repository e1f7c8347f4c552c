import { crypto } from '../../common/builtins.js';
import { systemClock } from '../../limit/SystemClock.js';

/** A log that is deleted and begun again must not take up the epochs of writers of the deleted one. */
export function firstEpoch(): number {
  const THOUSAND = 1_000;
  return systemClock.now() * THOUSAND + crypto().randomInt(THOUSAND);
}
