// Measures CPU time and memory of `tsc` 6 and 7 for generated projects of 500 tools in 100 files, compared with other libraries for the
// same tools, and the share of the decorators' types.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figureOf, type Figure } from './harness/Figure.js';
import { Report } from './harness/Report.js';
import {
  asAiTools,
  asLangChainTools,
  asMcpTools,
  asNestRoutes,
  inClasses,
  leastDecorators,
  leastSeparateDecorators,
  looseDecorators,
  separateDecorators,
  type FileText,
} from './tasks/toolProjects.js';

const FILES = 100;
const ROUNDS = 9;
const SEPARATE = 'decorators apart from their properties';
const UNTYPED = 'untyped decorators';
const LEAST = 'the fewest types that compare';
const LEAST_SEPARATE = 'the fewest types, apart from their properties';
const NEST = 'Nest routes with DTO classes';
const isAlone = process.env['BENCH_ALONE'] !== undefined;
const name = `typecheck-${String(process.pid)}`;
const ours = join(process.cwd(), 'build', name);
/** The folder of the generated projects, from which peers can be resolved. A folder name with a dot cannot be a package. */
const theirs = join(process.cwd(), 'bench', 'node_modules', `.${name}`);
const compilers = {
  'tsc 6': join(process.cwd(), 'node_modules/typescript/bin/tsc'),
  'tsc 7': join(process.cwd(), 'node_modules/typescript7/bin/tsc'),
};
type Compiler = keyof typeof compilers;
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
/** The largest ratios of our CPU time to a peer's. Nest's decorators compare nothing, so its ratio is only shown. */
const bounds: Readonly<Record<string, number | undefined>> = {
  [SEPARATE]: 1.1,
  'MCP SDK registerTool with zod': 1,
  'LangChain tool() with zod': 1,
  'AI SDK 7 tool() with zod': 0.5,
};

interface Cost {
  /** CPU time of the compiler and its threads, to which a busy machine adds little. */
  readonly seconds: number;
  readonly megabytes: number;
}

/** Writes a project and returns the function that checks it. */
function projectOf(folder: string, text: FileText): (compiler: Compiler) => Cost {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
  for (let file = 0; file < FILES; file++) writeFileSync(join(folder, `file${String(file)}.ts`), text(file));
  return (compiler) => check(folder, compiler);
}

function check(folder: string, compiler: Compiler): Cost {
  const command = [process.execPath, compilers[compiler], '-p', folder, '--extendedDiagnostics'];
  // tsc 7 is a process of its own below the one of Node. `times` of the shell counts both.
  const { stdout } = spawnSync('sh', ['-c', '"$@" && times', 'sh', ...command], { encoding: 'utf8' });
  const times = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(stdout);
  if (times === null) throw new TypeError(`${compiler} found errors:\n${stdout.slice(0, 2_000)}`);
  const [minutes = 0, seconds = 0, systemMinutes = 0, systemSeconds = 0] = times.slice(1).map(Number);
  return {
    seconds: 60 * (minutes + systemMinutes) + seconds + systemSeconds,
    megabytes: Number(/^Memory used:\s+([\d.]+)/m.exec(stdout)?.[1]) / 1024,
  };
}

function projects(): Readonly<Record<string, (compiler: Compiler) => Cost>> {
  const loose = projectOf(join(ours, 'loose'), inClasses('./loose.js'));
  writeFileSync(join(ours, 'loose', 'loose.ts'), looseDecorators);
  const separate = projectOf(join(ours, 'separate'), inClasses('./separate.js'));
  writeFileSync(join(ours, 'separate', 'separate.ts'), separateDecorators);
  const least = projectOf(join(ours, 'least'), inClasses('./least.js'));
  writeFileSync(join(ours, 'least', 'least.ts'), leastDecorators);
  const leastSeparate = projectOf(join(ours, 'leastSeparate'), inClasses('./leastSeparate.js'));
  writeFileSync(join(ours, 'leastSeparate', 'leastSeparate.ts'), leastSeparateDecorators);
  const own = {
    toolwright: projectOf(join(ours, 'typed'), inClasses('toolwright')),
    [UNTYPED]: loose,
    [SEPARATE]: separate,
    [LEAST]: least,
    [LEAST_SEPARATE]: leastSeparate,
  };
  if (isAlone) return own;
  return {
    ...own,
    'MCP SDK registerTool with zod': projectOf(join(theirs, 'mcp'), asMcpTools),
    'LangChain tool() with zod': projectOf(join(theirs, 'langchain'), asLangChainTools),
    'AI SDK 7 tool() with zod': projectOf(join(theirs, 'ai'), asAiTools),
    [NEST]: projectOf(join(theirs, 'nest'), asNestRoutes),
  };
}

function main(): void {
  const report = new Report('typecheck');
  const contenders = Object.entries(projects());
  for (const compiler of Object.keys(compilers) as Compiler[]) {
    const rounds = Array.from({ length: ROUNDS }, (_, round) => {
      const costs = contenders.map((_entry, turn) => {
        const [of, run] = contenders[(turn + round) % contenders.length]!;
        return [of, run(compiler)] as const;
      });
      return Object.fromEntries(costs);
    });
    const figure = (of: (round: Readonly<Record<string, Cost>>) => number): Figure => figureOf(rounds.map(of));
    for (const [of] of contenders) {
      const what = `${compiler} over 500 tools, ${of}`;
      report.add(
        `${what}, CPU`,
        figure((round) => round[of]!.seconds),
        's',
      );
      report.add(
        `${what}, memory`,
        figure((round) => round[of]!.megabytes),
        'MB',
      );
    }
    for (const [of] of contenders.slice(1)) {
      const share = figure(({ toolwright, [of]: other }) => toolwright!.seconds / other!.seconds);
      report.add(`${compiler}, CPU, toolwright / ${of}`, share, 'x', bounds[of]);
    }
    const compared = figure(
      ({ [SEPARATE]: apart, [LEAST]: least, [LEAST_SEPARATE]: leastApart }) =>
        (apart!.seconds + least!.seconds - leastApart!.seconds) / apart!.seconds,
    );
    report.add(`bound: ${compiler}, CPU, ${SEPARATE} and the least comparison / ${SEPARATE}`, compared, 'x');
    if (isAlone) continue;
    for (const of of [LEAST, UNTYPED]) {
      const share = figure(({ [of]: bare, [NEST]: nest }) => bare!.seconds / nest!.seconds);
      report.add(`bound: ${compiler}, CPU, ${of} / ${NEST}`, share, 'x');
    }
  }
  report.keep();
}

try {
  main();
} finally {
  for (const folder of [ours, theirs]) rmSync(folder, { recursive: true, force: true });
}
