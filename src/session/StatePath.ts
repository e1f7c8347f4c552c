import { keyText } from '../common/text.js';

/** Levels below the root, of which a slice's name and the position in it are two. */
const DEEPEST = 256;

/** Where a value stands in the JSON of a session. A chain, so that the text is made only when a message needs it. */
export class StatePath {
  private constructor(
    readonly key: string | number,
    readonly depth: number,
    readonly parent: StatePath | undefined,
  ) {}

  static of(root: string): StatePath {
    return new StatePath(root, 0, undefined);
  }

  /** A property, or an item when the key is a number. */
  at(key: string | number): StatePath {
    return new StatePath(key, this.depth + 1, this);
  }

  /** True below the deepest level that is written or read, which recursion has to end at: in a circle there is no other end. */
  get isTooDeep(): boolean {
    return this.depth > DEEPEST;
  }

  /** `slices.Plan[0].steps[1].title` */
  toString(): string {
    const before = this.parent?.toString() ?? '';
    if (typeof this.key === 'number') return `${before}[${String(this.key)}]`;
    return before === '' ? this.key : `${before}.${keyText(this.key)}`;
  }
}
