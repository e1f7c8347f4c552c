/** One token of the syntax of RE2: a group, a bar, a repetition, an assertion, or one character or class. */
const TOKEN =
  /\(\?m:[$^]\)|\(\?:|[)|]|[*+?]\??|\{(?<least>\d+)(?<isOpen>,?)(?<most>\d*)\}\??|\\[AzbB]|\[\^?(?:\\[^]|[^\]\\])*\]|\\x\{[^}]*\}|[^]/gu;

/** A part of a pattern: its number of instructions, and whether it is a single character, which RE2 merges with neighbouring ones. */
interface Part {
  readonly size: number;
  readonly isCharacter: boolean;
}

const CHARACTER: Part = { size: 1, isCharacter: true };
const ASSERTION: Part = { size: 1, isCharacter: false };

/**
 * Estimates how many instructions RE2 writes for a pattern once its repetitions are written out. Uses only the text of the
 * pattern, because RE2 writes repetitions out before it counts them. Counts a shared beginning of alternatives once for each, so
 * the estimate may be too high.
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

/** Collects the parts of a group, or of a whole pattern, in reading order. */
class Sequence {
  /** Sizes of the finished alternatives, except single characters. */
  #alternatives: number[] = [];
  #hasCharacter = false;
  #parts: Part[] = [];

  add(part: Part): void {
    this.#parts.push(part);
  }

  /** Repeats the last part as a loop, or makes it optional: one more instruction. */
  repeatLoop(): void {
    this.#replaceLast((size) => size + 1);
  }

  /** Repeats the last part a number of times: each copy is written out, and each optional copy takes one more instruction. */
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
