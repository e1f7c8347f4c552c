import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

  test('docs/comparison.md quotes rows that docs/benchmarks.md has', () => {
    const comparison = readFileSync(join(root, 'docs/comparison.md'), 'utf8');
    const quoted = comparison.match(/^\| .+ \| [\d.]+ x \|.*$/gm) ?? [];
    expect(quoted.length).toBeGreaterThan(0);
    expect(quoted.filter((row) => !page.split('\n').includes(row))).toEqual([]);
  });

  test('the hash of the measured code ignores comments and layout, and nothing else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-hash-'));
    const variants = [
      'f("a // b", 1);',
      '/** Calls. */\nf(\n  "a // b", // a\n  1,\n);',
      'f("a // c", 1);',
      'f("a // b", 2);',
    ];
    for (const [index, code] of variants.entries()) {
      mkdirSync(join(folder, String(index), 'src'), { recursive: true });
      writeFileSync(join(folder, String(index), 'src/a.ts'), code);
    }
    const program = `import { hashMeasuredCode } from './bench/measuredCode.mjs';
      console.log(JSON.stringify(${JSON.stringify(variants.map((_, index) => join(folder, String(index))))}.map((each) => hashMeasuredCode('turn', each))));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: root,
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    const [first, same, ...others] = JSON.parse(stdout) as string[];
    expect(same).toBe(first);
    expect(new Set([first, ...others]).size).toBe(3);
  });
});
