import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { cliRemedies } from '../../src/error/cliRemedies';
import { evalRemedies } from '../../src/error/evalRemedies';
import { remedies } from '../../src/error/remedies';
import manifest from '../../package.json';

const root = resolve(__dirname, '../..');

interface Links {
  brokenLinks(texts: ReadonlyMap<string, string>, codes?: readonly string[]): readonly string[];
  textsIn(folder: string): ReadonlyMap<string, string>;
}
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { brokenLinks, textsIn } = require('../support/brokenLinks.cjs') as Links;

/** Folders of pages that are not shipped, because no user of an installed package needs them. */
const apart = ['docs/decisions', 'docs/migration'];

/** Files that npm always packs. */
const always = ['README.md', 'LICENSE', 'package.json'];

/** The texts that are shipped, code left out: package-check.mjs looks at the whole tarball. */
function shippedTexts(): ReadonlyMap<string, string> {
  const shipped = [...always, ...manifest.files].filter((path) => path !== 'bin' && path !== 'dist');
  return new Map(globSync(shipped, { cwd: root }).map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

test('every link of the pages that are shipped leads to what is shipped', () => {
  const texts = shippedTexts();
  const tracked = execFileSync('git', ['ls-files', 'docs/*', ...apart.map((folder) => `:!${folder}`)], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([...texts.keys()]).toEqual(expect.arrayContaining(tracked.trim().split('\n')));
  expect(brokenLinks(texts, Object.keys({ ...remedies, ...cliRemedies, ...evalRemedies }))).toEqual([]);
});

test.each([
  ['a file that is not there', { 'README.md': '[a](docs/b.md)' }, ['README.md leads to docs/b.md']],
  ['a folder', { 'README.md': '[a](docs)', 'docs/b.md': '' }, ['README.md leads to docs']],
  ['what lies outside', { 'docs/a.md': '[a](../../b.md)', 'b.md': '' }, ['docs/a.md leads to ../../b.md']],
  ['a heading that is not there', { 'a.md': '# One\n[a](#two)' }, ['a.md leads to #two']],
  ['a heading of another page', { 'a.md': '[a](b.md#one)', 'b.md': 'One' }, ['a.md leads to b.md#one']],
  ['a heading in a block of code', { 'a.md': '```\n# One\n```\n[a](#one)' }, ['a.md leads to #one']],
  ['a picture', { 'a.md': '![a](a.svg)' }, ['a.md leads to a.svg']],
  ['a link at the end of its page', { 'a.md': '[a]\n\n[a]: b.md' }, ['a.md leads to b.md']],
  ['a page that declarations name', { 'dist/a.d.ts': '/** (docs/b.md) */' }, ['dist/a.d.ts names docs/b.md']],
  ['a heading that code names', { 'dist/a.js': '"docs/b.md#c"', 'docs/b.md': '' }, ['dist/a.js names docs/b.md#c']],
])('the check of links finds %s', (_what, files, findings) => {
  expect(brokenLinks(new Map(Object.entries(files)))).toEqual(findings);
});

test('an error without its heading is found', () => {
  const texts = new Map([['docs/errors.md', '### E101\n']]);
  expect(brokenLinks(texts, ['E101', 'E102'])).toEqual(['E102 is not in docs/errors.md']);
});

test.each([
  ['headings as they are shown', { 'a.md': '## A `b`, c: d!\n## One\n## One\n[a](#a-b-c-d) [b](#one-1)' }],
  [
    'addresses, code, and what code names in part',
    { 'a.md': '[a](https://a.example) `[a](b.md)`', 'dist/a.js': 'mydocs/b.md' },
  ],
  ['an anchor that is made when the code runs', { 'dist/a.js': '`docs/errors.md#${code}`', 'docs/errors.md': '' }],
])('the check of links accepts %s', (_what, files) => {
  expect(brokenLinks(new Map(Object.entries(files)))).toEqual([]);
});

describe('docs/README.md', () => {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');

  test('docs/README.md lists every page once', () => {
    const pages = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md') && file !== 'README.md');
    const listed = [...index.matchAll(/^- \[[^\]]+\]\(([\w-]+\.md)\): /gm)].map(([, page]) => page);
    expect(listed.sort()).toEqual(pages.sort());
  });
});

test.each(apart)('every link of a page in %s leads to a page beside it, or to a page that is shipped', (folder) => {
  const pages = [...textsIn(join(root, folder))].map(([name, text]) => [`${folder}/${name}`, text] as const);
  expect(pages.length).toBeGreaterThan(0);
  expect(brokenLinks(new Map([...shippedTexts(), ...pages]))).toEqual([]);
});

test('docs/recipes.md names every page of docs/migration', () => {
  const named = readFileSync(join(root, 'docs/recipes.md'), 'utf8').match(/docs\/migration\/[\w-]+\.md/g);
  expect(named?.sort()).toEqual(
    [...textsIn(join(root, 'docs/migration')).keys()].map((name) => `docs/migration/${name}`).sort(),
  );
});

test('docs/decisions/README.md lists every decision by its title', () => {
  const folder = join(root, 'docs/decisions');
  const rows = readdirSync(folder)
    .filter((file) => /^\d{4}-/.test(file))
    .sort()
    .map((file) => {
      const [, number, title] = /^# (\d+)\. (.+)$/m.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
      return `${String(number)}. [${String(title)}](${file})`;
    });
  expect(rows.length).toBeGreaterThan(30);
  expect(readFileSync(join(folder, 'README.md'), 'utf8').match(/^\d.*$/gm)).toEqual(rows);
});
