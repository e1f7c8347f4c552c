/** Why the runner cannot judge: the files are wrong, or a case says something that the runner does not know. */
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

  /** The same fault with the case in which it was met: what finds a word deep inside does not know the case. */
  at(place: string): ConformanceFault {
    return this.place === undefined ? new ConformanceFault(this.code, this.detail, place) : this;
  }
}

/** A word of the format that nothing here understands. */
export function unknownWord(kind: string, word: unknown): ConformanceFault {
  return new ConformanceFault('C3', `${kind} ${JSON.stringify(word)}`);
}
