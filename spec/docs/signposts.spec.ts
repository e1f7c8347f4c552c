import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const start = page.indexOf('## Where do I change');
/** The rows of the table of signposts, without its header and the headings of its groups. */
const rows = page
  .slice(start)
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| **'))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, subject = '', files = '']) => ({ subject, files }));

/** Returns the files and folders that a text names in backticks and that do not exist. */
function findMissing(text: string): readonly string[] {
  const named = [...text.matchAll(/`(?<path>[\w./-]+)(?:\*[^`]*)?`/g)].map(({ groups }) => groups?.['path'] ?? '');
  const paths = named.filter((path) => /\.(?:ts|json|mjs)$|\/$/.test(path));
  return paths.filter((path) => !existsSync(join(root, 'src', path)) && !existsSync(join(root, path)));
}

test('a missing file and a missing folder are found', () => {
  expect(findMissing('`common/brand.ts`, `common/marks.ts`, `packages/*/src/limits.ts`, `gone/`')).toEqual([
    'common/marks.ts',
    'gone/',
  ]);
});

test('ARCHITECTURE.md names only files that exist before its table of signposts', () => {
  expect(findMissing(page.slice(0, start))).toEqual([]);
});

test.each(rows)('ARCHITECTURE.md leads to files that exist: $subject', ({ files }) => {
  expect(findMissing(files)).toEqual([]);
  expect(files).not.toBe('');
});

test.each([
  ['messages to developers', /messages? to developers/i],
  ['the text that the model reads when a call fails', /text that the model reads when a call fails/i],
  ['errors that escape a call', /errors that escape/i],
  ['names of tools', /names that tools may have/i],
  ['the memory of the sandbox', /memory/i],
  ['hidden secrets', /secrets are hidden/i],
  ['headings', /headings/i],
  ['public names', /public names/i],
  ['rules of overrides', /overrides/i],
  ['the length of results', /how long results may be/i],
  ['calls that wait for a person', /wait for a person/i],
  ['calls that are repeated after a crash', /repeated after a crash/i],
  ['fields that clients of a stream get', /clients of a stream/i],
  ['the path of a decorator option', /decorator option/i],
  ['schema dialects of providers', /schema dialect/i],
  ['the upgrade of old records', /old record is upgraded/i],
  ['instanceof across copies', /instanceof/i],
  ['imports between packages', /which package may import/i],
])('ARCHITECTURE.md has one signpost for %s', (_subject, pattern) => {
  expect(rows.filter(({ subject }) => pattern.test(subject))).toHaveLength(1);
});
