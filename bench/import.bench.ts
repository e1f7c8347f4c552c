// Measures the CPU time and memory of an import in a fresh process, minus the cost of its mandatory peers, which an application has
// anyway; and the download size.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { figureOf, type Figure } from './harness/Figure.js';
import { peersOf } from './harness/peersOf.js';
import { Report } from './harness/Report.js';

const ROUNDS = 11;
const MEGABYTE = 1024 * 1024;
const root = process.cwd();
const report = new Report('import');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const optional = new Set(Object.keys(manifest.peerDependenciesMeta ?? {}));
const mandatory = Object.keys(manifest.peerDependencies ?? {}).filter((name) => !optional.has(name));

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>> | undefined;
  readonly peerDependencies?: Readonly<Record<string, string>> | undefined;
  readonly peerDependenciesMeta?: object | undefined;
}

/** The measurements that a process prints after its imports. */
interface Cost {
  /** CPU time of all threads. */
  readonly milliseconds: number;
  readonly bytes: number;
}

/** The imports of a process, one after the other, from a folder. */
interface Imports {
  readonly specifiers: readonly string[];
  readonly from: string;
  /** Further statements, which are timed as well. */
  readonly then?: string;
}

/** Creates an application without prompts, so that only the modules of `createApplication` are measured. */
const FIRST_APPLICATION = "await (await import('toolwright')).createApplication({ prompts: [] });";

/** Measures imports in a new process, with an empty module cache. */
function measureImports({ specifiers, from, then = '' }: Imports): Cost {
  const program = `const start = process.cpuUsage();
for (const each of ${JSON.stringify(specifiers)}) await import(each);
${then}
const { user, system } = process.cpuUsage(start);
globalThis.gc();
console.log(JSON.stringify({ milliseconds: (user + system) / 1000, bytes: process.memoryUsage().rss }));`;
  const args = ['--expose-gc', '--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: from, encoding: 'utf8' })) as Cost;
}

/** Measures the contenders in turn, so that noise of the machine affects all of them. */
function roundsOf<K extends string>(contenders: Readonly<Record<K, Imports>>): readonly Readonly<Record<K, Cost>>[] {
  const entries = Object.entries(contenders) as [K, Imports][];
  for (const [, imports] of entries) measureImports(imports);
  return Array.from({ length: ROUNDS }, (_, round) => {
    const costs = entries.map((_entry, turn) => {
      const [name, imports] = entries[(turn + round) % entries.length]!;
      return [name, measureImports(imports)] as const;
    });
    return Object.fromEntries(costs) as Record<K, Cost>;
  });
}

async function main(): Promise<void> {
  const { contenders } = await peersOf('import', {});
  const peers = Object.entries(contenders).map(
    ([name, entries]) => [name, { specifiers: entries() as readonly string[], from: join(root, 'bench') }] as const,
  );
  const nothing = { specifiers: [], from: root };
  const alone = { specifiers: mandatory, from: root };
  const toolwright = { specifiers: [...mandatory, 'toolwright'], from: root };
  const application = { ...toolwright, then: FIRST_APPLICATION };
  const rounds = roundsOf({ nothing, alone, toolwright, application, ...Object.fromEntries(peers) });
  const over = (of: string, base: string, cost: (of: Cost) => number): Figure =>
    figureOf(rounds.map((round: Readonly<Record<string, Cost>>) => cost(round[of]!) - cost(round[base]!)));
  const time = ({ milliseconds }: Cost): number => milliseconds;
  const memory = ({ bytes }: Cost): number => bytes / MEGABYTE;
  const share = rounds.map((round) => {
    const { milliseconds } = round.alone;
    return (round.toolwright.milliseconds - milliseconds) / (milliseconds - round.nothing.milliseconds);
  });
  report.add('the root entry over its mandatory peers', over('toolwright', 'alone', time), 'ms', 25);
  report.add('the root entry over its mandatory peers / the peers alone', figureOf(share), 'x', 0.3);
  report.add(
    'the root entry and a first application, over its mandatory peers',
    over('application', 'alone', time),
    'ms',
  );
  report.add('the root entry over its mandatory peers, memory', over('toolwright', 'alone', memory), 'MB', 5);
  for (const name of ['toolwright', ...Object.keys(contenders)]) {
    const what = name === 'toolwright' ? 'toolwright with its mandatory peers' : name;
    report.add(`${what} over an empty process`, over(name, 'nothing', time), 'ms');
    report.add(`${what} over an empty process, memory`, over(name, 'nothing', memory), 'MB');
  }
  reportSizes();
  report.keep();
}

function reportSizes(): void {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const shell = process.platform === 'win32';
  const told = execFileSync('npm', args, { cwd: root, encoding: 'utf8', shell, stdio: ['ignore', 'pipe', 'ignore'] });
  const [packed] = Object.values(JSON.parse(told) as object) as {
    readonly size: number;
    readonly unpackedSize: number;
  }[];
  if (packed === undefined) throw new TypeError(`npm packs nothing:\n${told}`);
  report.addOne('our tarball', packed.size / MEGABYTE, 'MB');
  report.addOne('our tarball, unpacked', packed.unpackedSize / MEGABYTE, 'MB');
  report.addOne('its own dependencies, unpacked', bytesOf([...dependenciesOf(manifest, root)]) / MEGABYTE, 'MB');
}

/** Finds the folders of a package's direct and indirect dependencies. */
function dependenciesOf({ dependencies = {} }: Manifest, from: string, known = new Set<string>()): Set<string> {
  for (const name of Object.keys(dependencies)) {
    const folder = folderOf(name, from);
    if (known.has(folder)) continue;
    known.add(folder);
    dependenciesOf(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest, folder, known);
  }
  return known;
}

/** Finds the folder from which Node would load a package. */
function folderOf(name: string, from: string): string {
  const folder = join(from, 'node_modules', name);
  if (existsSync(folder)) return folder;
  if (dirname(from) === from) throw new TypeError(`${name} is not installed`);
  return folderOf(name, dirname(from));
}

function bytesOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => {
    const isFolder = statSync(path).isDirectory();
    const inside = isFolder ? readdirSync(path).filter((name) => name !== 'node_modules') : [];
    return sum + (isFolder ? bytesOf(inside.map((name) => join(path, name))) : statSync(path).size);
  }, 0);
}

void main();
