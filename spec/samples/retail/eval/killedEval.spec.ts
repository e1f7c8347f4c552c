import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describeWithData } from '../../../support/absent.js';

const root = resolve(__dirname, '../../../..');
/** `KILLS=20` kills the eval of all public tasks so often. */
const kills = Number(process.env['KILLS'] ?? 4);
const countTasks = process.env['KILLS'] === undefined ? 40 : Infinity;
const moments = ['begun', 'not scored', 'half written'];

describeWithData('retail', 'the eval of the desk in killed processes', (data) => {
  let folder: string;
  beforeAll(() => {
    const build = "import { buildAgainstPackages } from './scripts/build.mjs'; await buildAgainstPackages('samples');";
    execFileSync(process.execPath, ['--input-type=module', '--eval', build], { cwd: root });
    folder = mkdtempSync(join(tmpdir(), 'toolwright-retail-'));
    const tasks = linesOf(join(data, 'tasks.jsonl')).slice(0, countTasks);
    writeFileSync(join(folder, 'tasks.jsonl'), `${tasks.join('\n')}\n`);
  }, 600_000);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Runs the eval in a process that may kill itself. Returns how it ended and the report that it printed. */
  const runEval = (name: string, kill: { readonly run?: number; readonly moment?: string | undefined } = {}) => {
    const work = join(folder, name);
    mkdirSync(work, { recursive: true });
    const program = join(root, 'build/samples/20-retail-desk/retail.js');
    const files = ['--data', data, '--tasks', join(folder, 'tasks.jsonl'), '--results', join(work, 'results')];
    const { status, signal, stdout, stderr } = spawnSync(
      process.execPath,
      ['--require', join(__dirname, 'killAtRun.cjs'), program, '--eval', ...files],
      {
        encoding: 'utf8',
        env: { ...process.env, STARTS: join(work, 'starts'), KILL_RUN: String(kill.run), KILL_MOMENT: kill.moment },
      },
    );
    return { end: { status, signal, stderr }, report: stdout };
  };
  const readStarts = (name: string) => linesOf(join(folder, name, 'starts'));
  const readResults = (name: string) => {
    const results = join(folder, name, 'results');
    const files = readdirSync(results).map((file) => [file, linesOf(join(results, file)).map(readResult)] as const);
    return new Map(files);
  };

  test('the killed and resumed eval repeats no finished run, and reports what one pass reports', () => {
    const whole = runEval('whole');
    expect(whole.end).toEqual({ status: 0, signal: null, stderr: '' });
    const runs = readStarts('whole');
    expect(runs.length).toBeGreaterThan(10 * kills);

    const killed = Array.from({ length: kills }, (_, kill) => Math.floor(((kill + 1) * runs.length) / (kills + 1)));
    for (const [kill, run] of killed.entries()) {
      // The killed run is the first one of the next process.
      const order = { run: run - (killed[kill - 1] ?? 0) + 1, moment: moments[kill % moments.length] };
      expect(runEval('killed', order).end).toEqual({ status: null, signal: 'SIGKILL', stderr: '' });
      expect(readStarts('killed').at(-1)).toBe(runs[run]);
    }
    expect(runEval('killed')).toEqual(whole);
    expect(readStarts('killed')).toEqual(runs.flatMap((run, at) => (killed.includes(at) ? [run, run] : [run])));
    expect(readResults('killed')).toEqual(readResults('whole'));
  }, 900_000);
});

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\n').slice(0, -1);
}

/** Reads a line of results. Only the times of two passes may be different. */
function readResult(line: string): unknown {
  return JSON.parse(line, (key, value: unknown) => (key === 'durationMs' ? 0 : value));
}
