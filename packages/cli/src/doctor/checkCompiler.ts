import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type ts from 'typescript';
import { messageOf } from 'toolwright/internal/light';
import { readAliases } from '../load/aliases.js';
import { findCompiler, describeMissingCompiler } from '../load/findCompiler.js';
import { Project, readConfig } from '../load/Project.js';
import { createGoodDiagnosis, type Diagnosis, findInstalled, readManifest } from './installedPackages.js';

const SETTINGS = ['experimentalDecorators', 'emitDecoratorMetadata'] as const;

/** A class for which a compiler with the right settings emits types. */
const PROBE = `declare const mark: (...given: unknown[]) => void;
class Params {}
class Probe { @mark tool(params: Params): void { void params; } }
export { Probe };
`;

/** Checks the compiler of a project: its settings, and whether it really emits the types of decorated members. */
export function checkCompiler(folder: string): readonly Diagnosis[] {
  const compiler = findCompiler(folder);
  if (compiler === undefined) {
    const { problem, remedy } = describeMissingCompiler(folder);
    const message = `${problem}: only built JavaScript can be loaded`;
    return [{ name: 'compiler', status: 'warning', message, remedy }, ...checkRunners(folder)];
  }
  const found = createGoodDiagnosis('compiler', `${compiler.name} ${compiler.version}`);
  const isTsc = compiler.kind === 'typescript';
  const aliases = isTsc ? checkAliases(folder) : [];
  // Standard decorators name their types, so no setting and no runner matters.
  const file = isTsc ? findStandardDecorators(compiler.api, folder) : undefined;
  if (file !== undefined)
    return [
      found,
      createGoodDiagnosis('decorators', `${file} imports toolwright/es: no settings are needed`),
      ...aliases,
    ];
  const settings = isTsc ? checkSettings(folder, () => readConfig(compiler.api, folder)) : [];
  return [found, ...settings, checkMetadata(folder), ...aliases, ...checkRunners(folder)];
}

/** Finds a source file of the project with standard decorators, unless tsconfig.json turns the experimental ones on. */
function findStandardDecorators(api: typeof ts, folder: string): string | undefined {
  try {
    const { path, options } = readConfig(api, folder);
    if (path === undefined || options.experimentalDecorators === true) return undefined;
    const { fileNames } = api.parseJsonConfigFileContent(
      api.readConfigFile(path, (name) => api.sys.readFile(name)).config,
      api.sys,
      dirname(path),
    );
    const found = fileNames.find((name) => /\bfrom\s*['"]toolwright\/es['"]/.test(api.sys.readFile(name) ?? ''));
    return found === undefined ? undefined : relative(folder, found);
  } catch {
    // `checkSettings` reports a file that cannot be read.
    return undefined;
  }
}

/** Warns about aliases of tsconfig.json. tsc leaves them in its output, where Node cannot resolve them. */
function checkAliases(folder: string): readonly Diagnosis[] {
  const aliases = Object.keys(readAliases(folder));
  if (aliases.length === 0) return [];
  const message = `${aliases.join(', ')} in tsconfig.json: tsc leaves these aliases in its output, and Node cannot resolve them`;
  const remedy = 'Use "imports" of package.json (#app/…), which Node follows, or a bundler.';
  return [{ name: 'paths', status: 'warning', message, remedy }];
}

function checkSettings(folder: string, read: () => ReturnType<typeof readConfig>): readonly Diagnosis[] {
  try {
    const { path, options } = read();
    const name = 'tsconfig';
    if (path === undefined)
      return [
        {
          name,
          status: 'error',
          message: 'there is no tsconfig.json',
          remedy: `Write one with ${SETTINGS.join(' and ')}.`,
        },
      ];
    const place = relative(folder, path);
    const missing = SETTINGS.filter((setting) => options[setting] !== true);
    if (missing.length === 0) return [createGoodDiagnosis(name, `${place}: ${SETTINGS.join(', ')}`)];
    const remedy = `Add to compilerOptions: ${missing.map((setting) => `"${setting}": true`).join(', ')}. Or import the decorators from toolwright/es, which need neither.`;
    return [{ name, status: 'error', message: `${place} lacks ${missing.join(' and ')}`, remedy }];
  } catch (error) {
    return [{ name: 'tsconfig', status: 'error', message: messageOf(error), remedy: 'Correct the file.' }];
  }
}

/** Compiles a probe with the settings of the sources, and checks the emitted types. */
function checkMetadata(folder: string): Diagnosis {
  const name = 'metadata';
  const probes = mkdtempSync(join(tmpdir(), 'toolwright-probe-'));
  try {
    const file = join(probes, 'probe.cts');
    writeFileSync(file, PROBE);
    const code = new Project(folder).compile(file, 'commonjs');
    if (/design:paramtypes.*Params|paramtypes[^]{0,40}Params/.test(code))
      return createGoodDiagnosis(name, 'types of decorated members are emitted');
    const remedy =
      'Turn on experimentalDecorators and emitDecoratorMetadata, or name every type, as in @Param({ type: String }), or import the decorators from toolwright/es.';
    return { name, status: 'error', message: 'the compiler does not emit the types of decorated members', remedy };
  } catch (error) {
    return { name, status: 'error', message: messageOf(error), remedy: 'Correct the settings of the compiler.' };
  } finally {
    rmSync(probes, { recursive: true, force: true });
  }
}

/** Warns about tools that run TypeScript without emitting types. */
export function checkRunners(folder: string): readonly Diagnosis[] {
  const { scripts = {} } = readManifest(folder) ?? {};
  const used = ['tsx', 'esbuild', 'tsup'].filter((tool) =>
    Object.values(scripts).some((script) => new RegExp(`(?:^|[\\s;&|/])${tool}(?:\\s|$)`).test(script)),
  );
  const vite = findInstalled('vite', folder);
  const old = vite !== undefined && Number(vite.version.split('.')[0]) < 8 ? [`vite ${vite.version}`] : [];
  const untyped = [...used, ...old];
  if (untyped.length === 0) return [];
  const remedy =
    'Name the types, as in @Tool({ params: X }) and @Param({ type: String }), import the decorators from toolwright/es, or run the output of tsc or swc.';
  return [
    {
      name: 'runner',
      status: 'warning',
      message: `${untyped.join(', ')}: does not emit the types of decorated members`,
      remedy,
    },
  ];
}
