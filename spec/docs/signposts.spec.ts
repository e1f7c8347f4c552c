import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packages from '../../scripts/packages.cjs';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const rows = page
  .slice(page.indexOf('## Where do I change'))
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, what = '', where = '']) => ({ what, where }));
const folders = packages.flatMap(({ folder }) => ['src', 'spec', 'scripts'].map((name) => join(folder, name)));
const files = ['', ...folders, 'bench', 'docs']
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== '', encoding: 'utf8' }).map(
      (name) => `/${folder}/${name}/`,
    ),
  );

test.each(rows)('ARCHITECTURE.md leads to files that exist: $what', ({ where }) => {
  const named = [...where.matchAll(/`(?<path>[^`*]+)(?:\*[^`]*)?`/g)].map(({ groups }) => groups?.['path'] ?? '');
  const paths = named.filter((path) => /\.ts$|\.json$|\.mjs$|\/$/.test(path));
  expect(paths.filter((path) => !files.some((file) => file.includes(`/${path}`)))).toEqual([]);
  expect(where).not.toBe('');
});

test.each([
  ['a message to developers', /messages? to developers/],
  ['a message to the model', /message to the model/],
  ['errors that escape a call', /errors escape/],
  ['names of tools', /names tools may have/],
  ['memory of the sandbox', /memory/],
  ['what is hidden', /hidden from events/],
  ['headings', /headings/],
  ['public names', /what is public/],
  ['rules of overrides', /overrides may say/],
  ['shortened results', /results are cut/],
])('ARCHITECTURE.md has one signpost for %s', (_what, pattern) => {
  expect(rows.filter(({ what }) => pattern.test(what))).toHaveLength(1);
});
