// Measures time and memory of `tsc` for generated projects of 500 tools in 100 files, compared with other libraries for the same
// tools, and the share of the decorators' types.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figureOf, type Figure } from './harness/Figure.js';
import { Report } from './harness/Report.js';
import {
  asAiTools,
  asMcpTools,
  inClasses,
  looseDecorators,
  separateDecorators,
  type FileText,
} from './tasks/toolProjects.js';

const FILES = 100;
const ROUNDS = 9;
const SEPARATE = 'decorators apart from their properties';
const isAlone = process.env['BENCH_ALONE'] !== undefined;
const name = `typecheck-${String(process.pid)}`;
const ours = join(process.cwd(), 'build', name);
/** The folder of the generated projects, from which peers can be resolved. A folder name with a dot cannot be a package. */
const theirs = join(process.cwd(), 'bench', 'node_modules', `.${name}`);
const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');
const options = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
};

/** A script that each `tsc` requires. It writes the CPU time of its process. */
const clock = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  process.stdout.write('CPU time: ' + (user + system) / 1e6 + '\\n');
});`;

interface Cost {
  readonly seconds: number;
  /** The CPU time of the process, to which a busy machine adds little. */
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

/** Writes a project and returns the function that checks it. */
function projectOf(folder: string, text: FileText): () => Cost {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
  for (let file = 0; file < FILES; file++) writeFileSync(join(folder, `file${String(file)}.ts`), text(file));
  return () => check(folder);
}

function check(folder: string): Cost {
  const args = ['--require', join(ours, 'clock.cjs'), compiler, '-p', folder, '--extendedDiagnostics'];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new TypeError(`tsc found errors:\n${stdout.slice(0, 2_000)}`);
  const figure = (what: string): number => Number(new RegExp(`^${what}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1]);
  return { seconds: figure('Total time'), cpuSeconds: figure('CPU time'), megabytes: figure('Memory used') / 1024 };
}

function projects(): Readonly<Record<string, () => Cost>> {
  const loose = projectOf(join(ours, 'loose'), inClasses('./loose.js'));
  writeFileSync(join(ours, 'loose', 'loose.ts'), looseDecorators);
  const separate = projectOf(join(ours, 'separate'), inClasses('./separate.js'));
  writeFileSync(join(ours, 'separate', 'separate.ts'), separateDecorators);
  writeFileSync(join(ours, 'clock.cjs'), clock);
  const own = {
    toolwright: projectOf(join(ours, 'typed'), inClasses('toolwright')),
    'untyped decorators': loose,
    [SEPARATE]: separate,
  };
  if (isAlone) return own;
  return {
    ...own,
    'MCP SDK registerTool with zod': projectOf(join(theirs, 'mcp'), asMcpTools),
    'AI SDK 7 tool() with zod': projectOf(join(theirs, 'ai'), asAiTools),
  };
}

function main(): void {
  const contenders = Object.entries(projects());
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const costs = contenders.map((_entry, turn) => {
      const [of, run] = contenders[(turn + round) % contenders.length]!;
      return [of, run()] as const;
    });
    return Object.fromEntries(costs);
  });
  const figure = (of: (round: Readonly<Record<string, Cost>>) => number): Figure => figureOf(rounds.map(of));
  const report = new Report('typecheck');
  for (const [of] of contenders) {
    const [seconds, megabytes] = [figure((round) => round[of]!.seconds), figure((round) => round[of]!.megabytes)];
    report.add(`tsc over 500 tools, ${of}`, seconds, 's');
    report.add(`tsc over 500 tools, ${of}, memory`, megabytes, 'MB');
  }
  const share = figure(({ toolwright, [SEPARATE]: other }) => toolwright!.cpuSeconds / other!.cpuSeconds);
  report.add(`CPU time, toolwright / ${SEPARATE}`, share, 'x', 1.1);
  for (const [of] of contenders.slice(1)) {
    if (of === SEPARATE) continue;
    const bound = of === 'untyped decorators' ? undefined : 0.5;
    const time = figure(({ toolwright, [of]: other }) => toolwright!.seconds / other!.seconds);
    report.add(`time, toolwright / ${of}`, time, 'x', bound);
    if (bound === undefined) continue;
    const memory = figure(({ toolwright, [of]: other }) => toolwright!.megabytes / other!.megabytes);
    report.add(`memory, toolwright / ${of}`, memory, 'x', bound);
  }
  report.keep();
}

try {
  main();
} finally {
  for (const folder of [ours, theirs]) rmSync(folder, { recursive: true, force: true });
}
