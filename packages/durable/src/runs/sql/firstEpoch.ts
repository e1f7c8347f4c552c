import { systemClock } from 'toolwright';
import { crypto } from 'toolwright/internal/light';

/** Returns an epoch that no earlier log of the same conversation has reached, so that writers of a deleted log stay shut out. */
export function firstEpoch(): number {
  const THOUSAND = 1_000;
  return systemClock.now() * THOUSAND + crypto().randomInt(THOUSAND);
}
