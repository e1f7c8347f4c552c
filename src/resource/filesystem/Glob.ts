import { lazy } from '../../common/lazy.js';
import { linearTest } from '../../schema/pattern/linearTest.js';
import { translateGlob } from './translateGlob.js';

/** A pattern for paths; its syntax is documented at `Filesystem.glob` (docs/contract.md, 15). RE2 matches it in linear time. */
export class Glob {
  readonly matches: (path: string) => boolean;
  readonly #levels: readonly (() => (name: string) => boolean)[];
  readonly #isBottomless: boolean;

  /** @throws FilesystemError invalidPattern */
  constructor(pattern: string) {
    const { source, levels, isBottomless } = translateGlob(pattern);
    this.matches = linearTest(source);
    this.#levels = levels.map((level) => lazy(() => linearTest(level)));
    this.#isBottomless = isBottomless;
  }

  /** False if no file below a directory can match. Only the last name is tested: a search asks at each level. */
  leadsInto(directory: string): boolean {
    const names = directory.split('/');
    const test = this.#levels[names.length - 1];
    return test === undefined ? this.#isBottomless : test()(names.at(-1) ?? '');
  }
}
