import fc from 'fast-check';
import { workbench, type Worked } from './workbench.js';

type Bench = Awaited<ReturnType<typeof workbench>>;

/** Each tool with a path, the other arguments such that it would succeed. */
const withPath: Readonly<Record<string, (path: string) => Record<string, unknown>>> = {
  ls: (path) => ({ path }),
  read_file: (path) => ({ path }),
  write_file: (path) => ({ path, content: 'written' }),
  edit_file: (path) => ({ path, old_text: 'secret', new_text: 'changed' }),
  glob: (path) => ({ path, pattern: '**' }),
  grep: (path) => ({ path, pattern: '.' }),
  rm: (path) => ({ path, recursive: true }),
};

async function everywhere({ call }: Bench, path: string): Promise<readonly (readonly [string, Worked])[]> {
  const outcomes: (readonly [string, Worked])[] = [];
  for (const [tool, args] of Object.entries(withPath)) outcomes.push([tool, await call(tool, args(path))]);
  return outcomes;
}

/** Would be reached if a path were clamped at the root, or decoded. */
const files = { 'etc/passwd': 'secret', x: 'secret', 'a/b': 'secret' };

const dots = /has \. or \.\. among its names/;
const slash = /begins with a slash/;
const rejected: readonly (readonly [path: string, why: RegExp])[] = [
  ['../etc/passwd', dots],
  ['a/../../x', dots],
  ['a/..', dots],
  ['..', dots],
  ['.', dots],
  ['./x', dots],
  ['a/./b', dots],
  ['.. /x', dots],
  ['../', dots],
  ['...', dots],
  ['a/.../x', dots],
  ['..\\x', /backslash/],
  ['a\\..\\..\\x', /backslash/],
  ['a\\b', /backslash/],
  ['%2e%2e/etc/passwd', dots],
  ['%2E%2E/x', dots],
  ['.%2e/x', dots],
  ['%2e%2e%2fx', dots],
  ['a%2f..%2f..%2fx', dots],
  ['%252e%252e/x', dots],
  ['%25252e%25252e%25252fx', dots],
  ['%2%65%2%65/x', dots],
  ['..%5cx', /backslash/],
  ['%2fetc%2fpasswd', slash],
  ['x%00', /NUL/],
  ['%ef%bc%8e%ef%bc%8e/x', dots],
  ['．．/x', dots],
  ['．．／x', dots],
  ['‥/x', dots],
  ['․․/x', dots],
  ['﹒﹒/x', dots],
  ['…/x', dots],
  ['％２ｅ％２ｅ/x', dots],
  ['..＼x', /backslash/],
  ['.\u200b./x', dots],
  ['..\u00ad/x', dots],
  ['/etc/passwd', slash],
  [' /etc/passwd', slash],
  ['／etc／passwd', slash],
  ['//host/x', slash],
  ['\\\\host\\x', /backslash/],
  ['C:\\x', /backslash/],
  ['C:/x', /names a drive/],
  ['c:x', /names a drive/],
  ['Ｃ：x', /names a drive/],
  ['file:///etc/passwd', /is a URL/],
  ['https://example.com/x', /is a URL/],
  ['~root', /begins with ~/],
  ['~/x', /begins with ~/],
  ['～root', /begins with ~/],
  ['a\u0000b', /NUL/],
  ['x\u0000', /NUL/],
  ['x\n', /control character/],
  ['x'.repeat(4_097), /longer than 4,096/],
];

describe('paths of the workspace tools', () => {
  test.each(rejected)('FS-01 %j is rejected by every tool, and nothing is touched', async (path, why) => {
    const bench = await workbench(files);
    for (const [tool, { kind, text }] of await everywhere(bench, path)) {
      expect({ tool, kind }).toEqual({ tool, kind: 'failed' });
      expect(text).toMatch(/^The path ".*cannot be used: it /s);
      expect(text).toMatch(why);
    }
    expect(bench.contents()).toEqual(files);
  });

  test('FS-01 the message says how a path was read, and what to write instead', async () => {
    const { call } = await workbench(files);
    expect((await call('read_file', { path: '%252e%252e/x' })).text).toBe(
      'The path "%252e%252e/x", read as "../x", cannot be used: it has . or .. among its names. Name every directory ' +
        'from the root of the workspace on: write src/app.ts. To list the root, leave the path out.',
    );
    expect((await call('read_file', { path: '/etc/passwd' })).text).toBe(
      'The path "/etc/passwd" cannot be used: it begins with a slash. ' +
        'Paths are relative to the root of the workspace: write src/app.ts.',
    );
    const { text } = await call('read_file', { path: `../${'x'.repeat(3_000)}` });
    expect(text.length).toBeLessThan(500);
  });

  test.each([
    'a.b.c',
    '.gitignore',
    '..a',
    'a..',
    'a..b/c',
    '.github/x',
    'a b',
    'über/naïve ✓.txt',
    '100%.txt',
    'a%20b',
    '50%25',
    'a~',
    'a/~b',
    'foo:bar',
    'co: x',
    '👨‍👩‍👧.md',
    '½.txt',
    'a//b',
    '$HOME',
    '${x}',
    '-rf',
    '*',
    '__proto__',
    'constructor',
  ])('%j is a name as any other', async (path) => {
    const { call } = await workbench();
    expect((await call('write_file', { path, content: 'hello' })).kind).toBe('succeeded');
    expect((await call('read_file', { path })).text).toMatch(/\n1\thello$/);
    expect((await call('rm', { path })).kind).toBe('succeeded');
  });

  test('FS-01 a path that is encoded over and over is not decoded to its end', async () => {
    const { call } = await workbench();
    const { kind, text } = await call('read_file', { path: `%${'25'.repeat(2_040)}2e` });
    expect(kind).toBe('failed');
    expect(text).toMatch(/cannot be used: it is encoded over and over\. Write it as plain text\.$/);
  });
});

describe('any text as a path', () => {
  const dot = fc.constantFrom('.', '.', '%2e', '%2E', '%252e', '．', '․', '%ef%bc%8e', '.\u200b', '\u00ad.');
  const separator = fc.constantFrom('/', '/', '\\', '%2f', '%5c', '%252f', '／', '＼');
  const odd = fc.constantFrom(
    ...[
      '..',
      '‥',
      '…',
      '%25',
      '%00',
      '%',
      '2e',
      'ｅ',
      '％',
      '\u200b',
      ' ',
      '\u00a0',
      '~',
      'C:',
      'a',
      'etc',
      'passwd',
      'x',
    ],
    ...['\0', '\n', '\ud800', '✓', '://'],
  );
  const texts = (piece: fc.Arbitrary<string>, maxLength: number) =>
    fc.array(piece, { maxLength, size: 'max' }).map((parts) => parts.join(''));
  const climbing = fc
    .tuple(texts(fc.oneof(odd, separator), 2), fc.option(separator), dot, dot, separator, texts(odd, 2))
    .map((parts) => parts.join(''));
  const path = fc.oneof(
    { weight: 3, arbitrary: climbing },
    { weight: 3, arbitrary: texts(fc.oneof(dot, separator, odd, odd), 6) },
    { weight: 1, arbitrary: fc.constantFrom('a/b', 'x', 'etc', 'etc/passwd', 'new/file', 'a') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  );

  /** Everything that one or more decodings make of a text, by a way of its own. */
  function decoded(text: string, depth = 6): ReadonlySet<string> {
    const all = new Set([text]);
    let last = [text];
    for (let step = 0; step < depth; step++) {
      last = last.flatMap((each) => [
        each.normalize('NFKC'),
        withoutPercents(each),
        each.replace(/[\u200b\u00ad]/g, ''),
      ]);
      for (const each of last) all.add(each);
      last = [...new Set(last)];
    }
    return all;
  }

  function withoutPercents(text: string): string {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
      try {
        return decodeURIComponent(bytes);
      } catch {
        return bytes;
      }
    });
  }

  const climbs = (text: string): boolean =>
    [...decoded(text)].some((reading) => reading.split(/[/\\]/).some((name) => name.trim() === '..'));

  test('FS-01 any text as a path ends every tool with a result, and never succeeds where .. can be read in it', async () => {
    let climbed = 0;
    let succeeded = 0;
    let bench = await workbench(files);
    await fc.assert(
      fc.asyncProperty(path, async (text) => {
        const before = succeeded;
        const isClimbing = climbs(text);
        if (isClimbing) climbed++;
        for (const [tool, { kind }] of await everywhere(bench, text)) {
          expect(['succeeded', 'failed']).toContain(kind);
          if (kind === 'succeeded') succeeded++;
          if (isClimbing) expect({ tool, text, kind }).toEqual({ tool, text, kind: 'failed' });
        }
        if (isClimbing) expect(bench.contents()).toEqual(files);
        // What only refused is as good as new.
        if (succeeded > before) bench = await workbench(files);
      }),
      { numRuns: 400 },
    );
    expect(climbed).toBeGreaterThan(40);
    expect(succeeded).toBeGreaterThan(40);
  }, 120_000);

  test('any arguments of any kind end every tool with a result', async () => {
    const bench = await workbench(files);
    const args = fc.dictionary(
      fc.constantFrom(
        'path',
        'content',
        'old_text',
        'new_text',
        'pattern',
        'glob',
        'limit',
        'offset',
        'recursive',
        'x',
      ),
      fc.oneof(path, fc.integer(), fc.boolean(), fc.constant(null)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(withPath)), args, async (tool, given) => {
        const { kind, text } = await bench.call(tool, given);
        expect(['succeeded', 'failed', 'rejected']).toContain(kind);
        expect(text).not.toBe('');
        expect(text).not.toMatch(/^The tool \w+ failed/);
      }),
      { numRuns: 500 },
    );
  }, 120_000);
});
