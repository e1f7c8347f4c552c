import { memoize } from '../../common/memoize.js';
import { createLinearTest } from '../../schema/pattern/re2.js';
import { translateGlob } from './translateGlob.js';

/**
 * A pattern for paths. `Filesystem.glob` documents its syntax (docs/contract.md, 15). RE2 matches it in linear time.
 */
export class Glob {
  readonly matches: (path: string) => boolean;
  readonly #levels: readonly (() => (name: string) => boolean)[];
  readonly #isBottomless: boolean;

  /** @throws FilesystemError invalidPattern */
  constructor(pattern: string) {
    const { source, levels, isBottomless } = translateGlob(pattern);
    this.matches = createLinearTest(source);
    this.#levels = levels.map((level) => memoize(() => createLinearTest(level)));
    this.#isBottomless = isBottomless;
  }

  /** Returns false if no file below a directory can match. Tests only the last name: a search asks at each level. */
  leadsInto(directory: string): boolean {
    const names = directory.split('/');
    const test = this.#levels[names.length - 1];
    return test === undefined ? this.#isBottomless : test()(names.at(-1) ?? '');
  }
}
