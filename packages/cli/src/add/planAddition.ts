import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';
import { CliError } from '../CliError.js';
import { checkRunners } from '../doctor/checkCompiler.js';
import { canMeet } from '../doctor/checkPackages.js';
import { writeCommand, listDependencies, devDependencies, readOwnRanges } from '../init/writeProject.js';
import type { Change } from '../init/writeFiles.js';
import { findCompiler } from '../load/findCompiler.js';
import { readJson, setMembers } from './jsonEdits.js';
import { findAgentFolder, findRoot, planRoot, type RootModule } from '../load/rootModule.js';
import { readNestAgent, readPlainAgent } from './readAgent.js';
import { planSettings, type Step, type TsConfig } from './planSettings.js';
import { readPackages, testNameOf, type Surroundings } from './Surroundings.js';

/** The changes that `add` plans, and its findings. */
export interface Plan extends Step {
  /** The commands to run afterwards. */
  readonly steps: readonly string[];
}

/** Plans how to add Toolwright to an application. @throws CliError E967, E975 */
export function planAddition(found: Surroundings): Plan {
  const settings = planSettings(found.folder, found.configText);
  const packages = planPackages(found);
  const isUsed = found.sources.some(({ text }) => /\bfrom\s*['"]@?toolwright(?:\/[\w-]+)*['"]/.test(text));
  const code =
    found.configText === undefined || isUsed ? { changes: [], findings: [], notes: [], steps: [] } : planCode(found);
  const parts = [packages, settings, code];
  const changes = parts.flatMap((part) => part.changes);
  return {
    changes,
    findings: parts.flatMap(({ findings }) => findings),
    notes: parts.flatMap(({ notes }) => notes),
    steps: changes.length === 0 ? [] : [`${found.manager} install`, ...code.steps],
  };
}

/** Plans the missing packages with the ranges of new projects, and reports packages in other versions. */
function planPackages(found: Surroundings): Step {
  const { manifest, manifestText: before, folder, kind } = found;
  const path = 'package.json';
  const there = readPackages(manifest);
  const own = readOwnRanges();
  const missing = (wanted: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(wanted).filter(([name]) => !(name in there)));
  const { typescript, ...others } = devDependencies;
  const compiler = findCompiler(folder) === undefined ? { typescript } : {};
  const dev = found.configText === undefined ? {} : { ...compiler, ...(found.runner === 'node' ? others : {}) };
  const added = setMembers(before, path, 'dependencies', missing(listDependencies(kind, own)));
  const after = setMembers(added, path, 'devDependencies', missing({ ...writeCommand(own), ...dev }));
  const peers = ['reflect-metadata', 'class-validator', 'class-transformer', 'typescript'];
  const needed = kind === 'nest' ? [...peers, '@nestjs/common', '@nestjs/core'] : peers;
  const findings = needed.flatMap((name) => {
    const [range, peer] = [there[name], own.peers[name] ?? '*'];
    if (range === undefined || canMeet(range, peer)) return [];
    const remedy = `Change it by hand:\n"${name}": "${peer}"`;
    return [new CliError(`${name} is ${range}, and ${peer} is needed`, { code: 'E978', place: path, remedy })];
  });
  return { changes: after === before ? [] : [{ path, before, after }], findings, notes: [] };
}

/** Plans the section, its test, and the edit that registers it. */
function planCode(found: Surroundings): Plan {
  const findings: CliError[] = [];
  const tried = <T>(action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      findings.push(error);
      return undefined;
    }
  };
  const root = found.kind === 'nest' ? tried(() => findRoot(found)) : undefined;
  const edited = root === undefined ? undefined : tried(() => planRoot(found, root));
  const untyped = 'unplugin-swc' in readPackages(found.manifest) ? [] : checkRunners(found.folder);
  const { files, steps } = writeAgentFiles(found, root, untyped.length === 0);
  const taken = files.filter(({ path }) => existsSync(join(found.folder, path))).map(({ path }) => path);
  if (taken.length > 0) throw new CliError(`${taken.join(', ')}: already there`, { code: 'E975', place: found.folder });
  const notes: string[] = [];
  if (canRunSources(found)) notes.push(RUNS_SOURCES);
  for (const { message: problem, remedy } of untyped) {
    if (found.kind === 'plain') notes.push(`${problem}. The files of add name them; do so in yours.`);
    // Nest itself needs emitted types for the constructors of its providers.
    else findings.push(new CliError(problem, { code: 'E977', place: 'package.json', remedy }));
  }
  return { changes: [...(edited === undefined ? [] : [edited]), ...files], findings, notes, steps };
}

const RUNS_SOURCES =
  'The script "test" runs node --test without a path. Node 22.18 and newer then run TypeScript tests as well as built ones: name the built files, for example "tsc && cd dist && node --test".';

/** Checks whether the project's test script would also run the written test before it is compiled. */
function canRunSources({ manifest, runner }: Surroundings): boolean {
  const script = manifest.scripts?.['test'] ?? '';
  return runner === 'node' && /(?:^|&&)\s*node\s+--test\s*(?:$|&&)/.test(script) && !/\bcd\s/.test(script);
}

function writeAgentFiles(
  found: Surroundings,
  root: RootModule | undefined,
  hasEmittedTypes: boolean,
): { readonly files: readonly Change[]; readonly steps: readonly string[] } {
  const { folder, sources, kind, runner, extension } = found;
  const base = existsSync(join(folder, 'src')) ? 'src/agent' : 'agent';
  const place = root === undefined ? base : findAgentFolder(root);
  const agent = kind === 'nest' ? readNestAgent(runner) : readPlainAgent(runner, `${place}/app.ts`, hasEmittedTypes);
  const tests = sources.filter(({ isTest, path }) => isTest && !path.includes('e2e'));
  const isBeside =
    kind === 'nest' || tests.length === 0 || tests.some(({ path }) => path.startsWith(`${dirname(place)}/`));
  const testFolder = isBeside ? place : dirname(tests[0]?.path ?? '');
  const up = relative(testFolder, place);
  const reference = runner === 'node' ? '/// <reference types="node" />\n' : '';
  const test =
    reference +
    (isBeside ? agent.test : agent.test.replaceAll("from './", `from '${up.startsWith('.') ? up : `./${up}`}/`));
  const texts = [
    ...Object.entries(agent.sources).map(([name, text]) => [`${place}/${name}`, text] as const),
    [`${testFolder}/${testNameOf(found)}`, test] as const,
  ];
  return {
    files: texts.map(([path, text]) => ({ path, after: text.replace(/(from '\.[^']*)\.js'/g, `$1${extension}'`) })),
    steps: [
      writeTestCommand(found, `${testFolder}/${testNameOf(found)}`),
      ...(kind === 'nest' ? [] : [`npx toolwright check --app ${place}/app.ts`]),
    ],
  };
}

function writeTestCommand({ manifest, runner, manager, configText }: Surroundings, test: string): string {
  const script = manifest.scripts?.['test'];
  if (script !== undefined && !script.includes('no test specified'))
    return manager === 'bun' ? 'bun run test' : `${manager} test`;
  const built = findBuiltFile(test, configText ?? '{}');
  return { node: `npx tsc && node --test ${built}`, jest: 'npx jest', vitest: 'npx vitest run' }[runner];
}

/** Finds the file that the compiler writes for a source. Without a path, Node 22.18 and newer run the source as well. */
function findBuiltFile(source: string, configText: string): string {
  const { compilerOptions } = (readJson(configText, 'tsconfig.json').value ?? {}) as TsConfig;
  const { rootDir = '.', outDir } = compilerOptions ?? {};
  const built = source.replace(/\.([cm]?)ts$/, '.$1js');
  return typeof outDir === 'string' ? join(outDir, relative(String(rootDir), built)) : built;
}
