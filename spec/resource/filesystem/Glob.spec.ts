import fc from 'fast-check';
import { FilesystemError } from '../../../src/error/FilesystemError';
import { Glob } from '../../../src/resource/filesystem/Glob';
import { expectEqual } from '../../support/expectEqual';
import { matches } from './NaiveFiles';

const matched = (pattern: string, paths: readonly string[]): readonly string[] => {
  const glob = new Glob(pattern);
  return paths.filter((path) => glob.matches(path));
};

/** The directories on the way to a file. */
const directoriesOf = (path: string): readonly string[] =>
  path
    .split('/')
    .map((_name, index, names) => names.slice(0, index).join('/'))
    .slice(1);

describe('a glob pattern', () => {
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['a*', ['a', 'ab', 'x/ab', 'a.b'], ['b', 'ba', 'a/b']],
    ['/a*', ['a', 'ab'], ['x/ab', 'a/b']],
    ['a*b*c', ['abc', 'axbxc', 'abcbc'], ['ab', 'acb', 'a/b/c']],
    ['?', ['a', '😀', 'x/é'], ['', 'ab', 'e\u0301']],
    ['a/?', ['a/b'], ['a/', 'a/bc', 'a//']],
    ['**', ['a', 'a/b', 'a/b/c'], ['']],
    ['a/**', ['a/b', 'a/b/c'], ['a', 'ab', 'b/a/c']],
    ['**/a', ['a', 'b/a', 'b/c/a'], ['ba', 'a/b']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb', 'a/b/c']],
    ['a/**/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab']],
    ['**/a/**', ['a/b', 'x/a/b', 'a/b/c'], ['a', 'x/a']],
    ['/a**b', ['ab', 'axb'], ['a/b', 'ax/b']],
    ['/a/**b', ['a/b', 'a/xb'], ['a/x/b']],
    ['/***', ['a'], ['a/b']],
    ['[abc]', ['a', 'x/c'], ['d', 'ab', '[']],
    ['[a-c]x', ['ax', 'bx'], ['dx', '-x']],
    ['[!a-c]', ['d', '-'], ['a', 'b']],
    ['[^a]', ['d', '^'], ['a']],
    ['[]a]', [']', 'a'], ['b']],
    ['[!]a]', ['b'], [']', 'a']],
    ['[a-]', ['a', '-'], ['b']],
    ['[-a]', ['a', '-'], ['b']],
    ['[a\\]b]', ['a', ']', 'b'], ['\\']],
    ['[α-ω😀]', ['β', '😀'], ['b']],
    ['a[/]b', [], ['a/b', 'a[/]b']],
    ['{a,b}', ['a', 'x/b'], ['c', 'ab', '{a,b}']],
    ['{a,b}c', ['ac', 'bc'], ['c']],
    ['{,a}b', ['b', 'ab'], ['a']],
    ['{a}', ['a'], ['{a}']],
    ['{a,b/{c,d}}', ['a', 'b/c', 'b/d'], ['b', 'c', 'x/a']],
    ['/{src/**,*}.ts', ['a.ts', 'src/a.ts', 'src/b/a.ts'], ['b/a.ts']],
    ['{**/a,b/**}', ['a', 'x/a', 'b/c/d'], ['b', 'c']],
    ['a,b', ['a,b'], ['a', 'b']],
    ['/a,**', ['a,b'], ['a,b/c']],
    ['a}', ['a}'], ['a']],
    ['a]', ['a]'], ['a']],
    ['\\*', ['*'], ['a', '\\*']],
    ['\\{a,b\\}', ['{a,b}'], ['a', 'b']],
    ['a//b/./c', ['a/b/c'], ['a//b/./c']],
    ['a/././b', ['a/b'], ['a/./b', 'a/././b']],
    ['././a', ['a'], ['x/a']],
    ['.*', ['.env', 'x/.env'], ['env']],
    ['a.b+(c)|^$', ['a.b+(c)|^$'], ['axb']],
    ['__proto__', ['__proto__'], ['constructor']],
  ])('the glob pattern %s matches the right paths', (pattern, good, bad) => {
    expect(matched(pattern, [...good, ...bad])).toEqual(good);
  });

  test('a glob pattern matches what a naive matcher matches', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      'c',
      '*',
      '**',
      '?',
      '[ab]',
      '[!a]',
      '{a,b}',
      '{,a}',
      '{a/b,c}',
      '/',
      '/',
      '/**/',
    );
    const pattern = fc
      .array(part, { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join('').replace(/\/+/g, '/').replace(/\/$/, ''))
      // What two stars next to one another mean is told by the table above.
      .filter((text) => text !== '' && !/[^/]\*\*|\*\*[^/]|\*(?:\{,a\})+\*/.test(text));
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 3 });
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    let good = 0;
    fc.assert(
      fc.property(pattern, fc.array(path, { maxLength: 8 }), (text, paths) => {
        const found = matched(text, paths);
        good += found.length;
        const glob = new Glob(text);
        const left = found.flatMap(directoriesOf).filter((directory) => !glob.leadsInto(directory));
        expectEqual(left, []);
        expectEqual(
          found,
          paths.filter((each) => matches(text, each)),
        );
      }),
      { numRuns: 3_000 },
    );
    expect(good).toBeGreaterThan(1_000);
  });

  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['*.ts', ['a', 'a/b'], []],
    ['/*.ts', [], ['a', 'a/b']],
    ['src/*.ts', ['src'], ['a', 'src/a']],
    ['src/**/a/*.ts', ['src', 'src/a/b'], ['a']],
    ['{src,spec}/[ab]*/c', ['src', 'spec', 'src/ab'], ['a', 'src/c', 'src/ab/c']],
    ['{src/a,spec}/b', ['src', 'spec', 'src/a'], []],
    ['a\\/b/c', ['a', 'a/b'], ['b', 'a/c']],
    ['{a\\/b}/c', ['a', 'a/b'], []],
  ])('a search for %s goes into directories that may hold a match', (pattern, good, bad) => {
    const glob = new Glob(pattern);
    expect([...good, ...bad].filter((directory) => glob.leadsInto(directory))).toEqual(good);
  });

  test.each([
    '*a'.repeat(400),
    '{,a}'.repeat(250),
    '{a,*}'.repeat(200),
    '{*,?,[ab]}'.repeat(90),
    '**/'.repeat(333),
    '/**/a'.repeat(200),
  ])('a glob pattern takes no longer than its length and that of the path allow: %#', (pattern) => {
    const started = performance.now();
    const glob = new Glob(pattern);
    for (const path of ['a'.repeat(255), 'ab'.repeat(127), 'a/'.repeat(500), `${'a/b'.repeat(300)}c`]) {
      expect(typeof glob.matches(path)).toBe('boolean');
      expect(typeof glob.matches(`${path}!`)).toBe('boolean');
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test('a glob pattern finds the same where the states are too many to be kept', () => {
    const tail = '?'.repeat(14);
    const glob = new Glob(`/*a${tail}`);
    for (let number = 0; number < 4_000; number++) {
      const name = number.toString(2).padStart(20, '0').replaceAll('0', 'a').replaceAll('1', 'b');
      expect(glob.matches(name)).toBe(name.at(-15) === 'a');
    }
  });

  test.each([
    ['', 'empty'],
    ['/', 'empty'],
    ['./', 'empty'],
    ['..', '..'],
    ['../a', '..'],
    ['a/..', '..'],
    ['[', '['],
    ['[]', '['],
    ['[!]', '['],
    ['[a', '['],
    ['[a-', '['],
    ['[z-a]', '['],
    ['{', 'a { in it is not closed'],
    ['{a', 'a { in it is not closed'],
    ['{a,{b}', 'a { in it is not closed'],
    ['a\\', '\\'],
    ['[a\\', '\\'],
    ['{'.repeat(1_000), '{'],
    ['a'.repeat(1_001), '1000'],
  ])('the glob pattern %j is refused', (pattern, reason) => {
    const make = (): unknown => new Glob(pattern);
    expect(make).toThrow(FilesystemError);
    expect(make).toThrow(expect.objectContaining({ kind: 'invalidPattern', path: pattern }) as Error);
    expect(make).toThrow(reason);
  });
});
