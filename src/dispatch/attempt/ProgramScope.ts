import type { Turns } from '../../common/TimeSlice.js';
import type { Approver } from '../../interface/Approver.js';

/** The options that a program gives to all of its calls (docs/contract.md, 23). */
export interface ProgramScope {
  /** Asked in place of the application's approver. */
  readonly approver: Approver | undefined;
  /** Called when an approver is asked; returns the function that is called with the answer. */
  readonly asking: () => () => void;
  readonly turns: Turns;
}

/** Thrown when a call of a program needs an approval that is not available at once; the program ends there. */
export class ApprovalMissing extends Error {
  /**
   * @param isComing true when an approver will answer later
   * @param askedAt milliseconds since the epoch
   */
  constructor(
    readonly isComing: boolean,
    readonly askedAt: number,
  ) {
    super('A call of the program waits for an approval.');
  }
}
