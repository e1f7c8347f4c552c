/** One token of the syntax of RE2: a group, a bar, a repetition, an assertion, or one character or class. */
const TOKEN =
  /\(\?m:[$^]\)|\(\?:|[)|]|[*+?]\??|\{(?<least>\d+)(?<isOpen>,?)(?<most>\d*)\}\??|\\[AzbB]|\[\^?(?:\\[^]|[^\]\\])*\]|\\x\{[^}]*\}|[^]/gu;

/** What is read of a pattern: its instructions, and whether it is a single character, which RE2 merges with others beside it. */
interface Part {
  readonly size: number;
  readonly isCharacter: boolean;
}

const CHARACTER: Part = { size: 1, isCharacter: true };
const ASSERTION: Part = { size: 1, isCharacter: false };

/**
 * Estimates how many instructions RE2 writes for a pattern once its repetitions are written out, from the pattern alone: RE2 itself
 * writes them out before it counts them. Beginnings that alternatives share are counted once for each, so that the estimate may be
 * too high.
 *
 * @param source as `translatePattern` writes it
 */
export function estimateWrittenOutSize(source: string): number {
  const open: Sequence[] = [];
  let sequence = new Sequence();
  for (const token of source.matchAll(TOKEN)) {
    const [text] = token;
    if (text === '(?:') {
      open.push(sequence);
      sequence = new Sequence();
    } else if (text === ')') {
      const group = sequence.end();
      sequence = open.pop() ?? new Sequence();
      sequence.add(group);
    } else if (text === '|') sequence.beginAlternative();
    else if (token.groups?.['least'] !== undefined) sequence.repeat(token.groups);
    else if (/^[*+?]/.test(text)) sequence.repeatLoop();
    else sequence.add(/^(?:\(|\\[AzbB])/.test(text) ? ASSERTION : CHARACTER);
  }
  return sequence.end().size;
}

/** The parts of a group, or of a whole pattern, in the order in which they are read. */
class Sequence {
  /** Sizes of the alternatives that have ended, without those of a single character. */
  #alternatives: number[] = [];
  #hasCharacter = false;
  #parts: Part[] = [];

  add(part: Part): void {
    this.#parts.push(part);
  }

  /** Repeats the last part as a loop, or makes it optional: one instruction more. */
  repeatLoop(): void {
    this.#replaceLast((size) => size + 1);
  }

  /** Repeats the last part a number of times: each is written out, and those that may be absent with one instruction more. */
  repeat({ least, isOpen, most }: Readonly<Record<string, string | undefined>>): void {
    const fewest = Number(least);
    if (isOpen === '') this.#replaceLast((size) => fewest * size);
    else if (most === '') this.#replaceLast((size) => Math.max(fewest, 1) * size + 1);
    else this.#replaceLast((size) => fewest * size + (Number(most) - fewest) * (size + 1));
  }

  beginAlternative(): void {
    const [first] = this.#parts;
    if (this.#parts.length === 1 && first?.isCharacter === true) this.#hasCharacter = true;
    else this.#alternatives.push(this.#parts.reduce((sum, { size }) => sum + size, 0));
    this.#parts = [];
  }

  end(): Part {
    this.beginAlternative();
    const sizes = [...this.#alternatives, ...(this.#hasCharacter ? [1] : [])];
    // One instruction between two alternatives, and one for an empty group.
    const size = sizes.reduce((sum, each) => sum + each + 1, -1);
    return { size: Math.max(size, 1), isCharacter: this.#alternatives.length === 0 };
  }

  #replaceLast(sizeOf: (size: number) => number): void {
    const last = this.#parts.pop();
    if (last !== undefined) this.#parts.push({ size: sizeOf(last.size), isCharacter: false });
  }
}
