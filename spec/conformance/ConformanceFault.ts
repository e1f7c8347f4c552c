/** The reasons why the runner cannot judge: the files are wrong, or a case contains something unknown to the runner. */
const problems = {
  C1: 'the case id occurs twice',
  C2: 'no case was found',
  C3: 'the runner does not know this word',
  C4: 'the file is not a case file',
} as const;

export type FaultCode = keyof typeof problems;

/** A fault of the cases or of the runner, never of the framework: `C3 dispatch-004: the runner does not know this word: …`. */
export class ConformanceFault extends Error {
  constructor(
    readonly code: FaultCode,
    readonly detail: string,
    readonly place?: string,
  ) {
    super(`${code}${place === undefined ? '' : ` ${place}`}: ${problems[code]}: ${detail}`);
    this.name = 'ConformanceFault';
  }

  /** The same fault with the case in which it occurred, which is not known deep inside the reader. */
  at(place: string): ConformanceFault {
    return this.place === undefined ? new ConformanceFault(this.code, this.detail, place) : this;
  }
}

/** A keyword of the format that the runner does not support. */
export function unknownWord(kind: string, word: unknown): ConformanceFault {
  return new ConformanceFault('C3', `${kind} ${JSON.stringify(word)}`);
}
