import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of the data sets that are not part of this repository: `TOOLWRIGHT_DATA`, or `../shared/data` beside it. */
const dataRoot = process.env.TOOLWRIGHT_DATA ?? resolve(__dirname, '../../../shared/data');

/**
 * Declares tests that need the data set `dir` (a folder of the data root, such as `retail`); `fn` gets its full path. Where the
 * data set is missing, one test named `absent: …` replaces them, which the last line of the run counts as absent: neither passed
 * nor failed.
 */
export function describeWithData(dir: string, name: string, fn: (path: string) => void): void {
  const path = join(dataRoot, dir);
  if (existsSync(path)) {
    describe(name, () => {
      fn(path);
    });
    return;
  }
  test(`absent: ${name} (needs the data set ${dir})`, () => {
    expect(existsSync(path)).toBe(false);
  });
}
