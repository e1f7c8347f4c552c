import { createPartProblem, type PartName, type PatternProblem } from './PatternProblem.js';

/** The source of a pattern while it is read, with the first part of it that cannot be translated. */
export class PatternText {
  /** True if `\k<name>` refers to a group; in old patterns without names, `\k` is a plain k. */
  readonly hasNames: boolean;
  problem: PatternProblem | undefined;
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
    this.hasNames = flags.includes('u') || /\(\?<[^=!]/.test(source);
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  has(flag: string): boolean {
    return this.#flags.includes(flag);
  }

  /** Records a part that is not supported; only the first one is reported. */
  refuse(name: PartName, part: string): void {
    this.problem ??= createPartProblem(name, part);
  }

  /** Checks whether a pattern with the flag y matches here. */
  follows(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#source);
  }

  /** Reads the text that a pattern with the flag y matches here; returns undefined if it does not match. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  take(count: number): void {
    this.#at += count;
  }

  /** Reads one character, which may be two UTF-16 units. */
  character(): string {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }
}
