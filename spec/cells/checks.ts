import { doors } from './doors.js';
import type { Check } from './platform.js';

/** What every cell runs. */
export const checks: readonly Check[] = doors;
