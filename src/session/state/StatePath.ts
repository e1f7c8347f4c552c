import { MAX_STATE_LEVELS } from '../../common/limits.js';
import { keyText } from '../../common/text.js';

/** The path of a value in the JSON of a session. A linked list, so that its text is built only if a message needs it. */
export class StatePath {
  private constructor(
    readonly key: string | number,
    readonly depth: number,
    readonly parent: StatePath | undefined,
  ) {}

  static of(root: string): StatePath {
    return new StatePath(root, 0, undefined);
  }

  /** Returns the path of a property, or of an item if the key is a number. */
  at(key: string | number): StatePath {
    return new StatePath(key, this.depth + 1, this);
  }

  /** True below the deepest level that is written or read. The limit also ends the recursion in a cycle. */
  get isTooDeep(): boolean {
    return this.depth > MAX_STATE_LEVELS;
  }

  /** Formats the path: `slices.Plan[0].steps[1].title`. */
  toString(): string {
    const before = this.parent?.toString() ?? '';
    if (typeof this.key === 'number') return `${before}[${String(this.key)}]`;
    return before === '' ? this.key : `${before}.${keyText(this.key)}`;
  }
}
