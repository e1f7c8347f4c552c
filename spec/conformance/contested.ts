/** A case that is held to be wrong: it is run, reported and counted, and must differ, or it is contested no more. */
export interface ContestedCase {
  readonly id: string;
  /** The sentence of the contract that the case contradicts. */
  readonly contract: string;
}

/** At most ten. */
export const contestedCases: readonly ContestedCase[] = [];
