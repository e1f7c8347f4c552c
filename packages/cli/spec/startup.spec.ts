import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { bin } from './support/CliProject';

const root = resolve(__dirname, '../../..');
/** Reports, when the process ends, what it has loaded and how long its threads have worked: other programs do not count. */
const REPORT = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const files = Object.keys(require.cache).filter((file) => file !== __filename);
  require('node:fs').writeSync(3, JSON.stringify({ worked: (user + system) / 1_000, files }));
});
`;

interface Report {
  readonly worked: number;
  readonly files: readonly string[];
}

describe('the start of the command line', () => {
  let folder: string;
  const started = (args: readonly string[]): Report => {
    const { output, status } = spawnSync(process.execPath, ['--require', join(folder, 'report.cjs'), ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    expect(status).toBe(0);
    return JSON.parse(String(output[3])) as Report;
  };

  beforeAll(() => {
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
    folder = mkdtempSync(join(tmpdir(), 'toolwright-start-'));
    writeFileSync(join(folder, 'report.cjs'), REPORT);
  }, 600_000);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const helps = [['--help'], ['--version'], ['help', 'render'], ['check', '--help']];

  /** The files of the built packages that a start loads, and the packages of others. */
  const loadedBy = (args: readonly string[]) => {
    const paths = started([bin, ...args]).files.map((file) => relative(root, file).replaceAll('\\', '/'));
    const others = paths.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
    const own = paths.filter((_path, index) => others[index] === undefined);
    return { own, packages: [...new Set(others.filter((name) => name !== undefined))] };
  };

  test.each(helps)(
    '%s %s loads the command without its actions, the light part of the core, and two packages',
    (...args) => {
      expect(loadedBy(args)).toEqual({
        own: [
          'packages/cli/dist/main.cjs',
          'packages/cli/dist/chunk.cjs',
          'packages/cli/dist/TerminalText.cjs',
          'dist/internal/light.cjs',
          'dist/light.cjs',
          'dist/rolldown-runtime.cjs',
          'dist/command.cjs',
        ],
        packages: ['commander', 'picocolors'],
      });
    },
  );

  // On any machine: what is loaded is what takes the time.
  test('help loads less than 80 kB of ours', () => {
    const { own } = loadedBy(['--help']);
    expect(own.reduce((sum, path) => sum + statSync(join(root, path)).size, 0)).toBeLessThan(80_000);
  });

  // An empty program takes 20 to 130 ms, by the machine; ours took 12 to 27 more, and 29 to 36 where an empty one takes 77 to 88. As one ES
  // module with all commands, it took 55 more.
  test('help takes no more than 40 ms above what an empty program does, on a slow machine no more than six tenths of that', () => {
    const least = { empty: Infinity, help: Infinity };
    for (let times = 0; times < 9; times++) {
      least.empty = Math.min(least.empty, started(['-e', '0']).worked);
      least.help = Math.min(least.help, ...helps.slice(0, 3).map((args) => started([bin, ...args]).worked));
    }
    expect(least.help - least.empty).toBeLessThan(Math.max(40, 0.6 * least.empty));
  }, 60_000);
});
