import type { Approver } from '../interface/Approver.js';

/** What a program brings along to its calls (docs/contract.md, 21). */
export interface ProgramCaller {
  /** Asked in place of the application's approver. */
  readonly approver: Approver | undefined;
  /** Somebody is being asked about the call; what it gives is called when there is an answer. */
  readonly asking: () => () => void;
}

/** Nobody approves the call of a program at once: it leaves the call, and the program ends without it. */
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
