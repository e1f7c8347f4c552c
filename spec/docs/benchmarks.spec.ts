import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import figures from '../../bench/figures.json';

const root = resolve(__dirname, '../..');
const page = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8');
const benches = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length));

describe('docs/benchmarks.md', () => {
  test('docs/benchmarks.md shows what was measured, in its tables and charts', () => {
    const { status, stderr } = spawnSync(process.execPath, ['bench/page.mjs', '--check'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test.each(benches)('docs/benchmarks.md has a place for %s, which was measured', (name) => {
    expect(page).toContain(`<!-- figures ${name} -->`);
    expect(Object.keys(figures)).toContain(name);
    expect(existsSync(join(root, `docs/benchmarks/${name}.svg`))).toBe(true);
  });
});
