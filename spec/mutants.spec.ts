import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Mutant {
  readonly name: string;
  readonly what: string;
  readonly file: string;
  readonly find: string | readonly string[];
  readonly replace: string | readonly string[];
  readonly killedBy: string;
}

const root = join(__dirname, '..');
const mutants = JSON.parse(readFileSync(join(__dirname, 'mutants.json'), 'utf8')) as readonly Mutant[];

describe('kept mutants', () => {
  test('kept mutants have names of their own, in order', () => {
    const names = mutants.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
  });

  test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
    '%s changes a text that its file holds once',
    (_name, { file, find, replace, killedBy }) => {
      const [before, after] = [find, replace].map((lines) => [lines].flat().join('\n'));
      expect(readFileSync(join(root, file), 'utf8').split(before ?? '')).toHaveLength(2);
      expect(after).not.toBe(before);
      expect(existsSync(join(root, killedBy.split(' > ')[0] ?? ''))).toBe(true);
    },
  );
});
