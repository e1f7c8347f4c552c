import { parseTsconfig } from 'get-tsconfig';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { CliError } from '../CliError.js';
import { compilerSettings } from '../init/writeProject.js';
import type { Change } from '../init/writeFiles.js';
import { readJson, setMembers } from './jsonEdits.js';

/** The parts of a tsconfig.json that `add` reads. Their types have not been checked. */
export interface TsConfig {
  readonly references?: readonly { readonly path?: string }[];
  readonly compilerOptions?: Readonly<Record<string, unknown>>;
}

export interface Step {
  readonly changes: readonly Change[];
  readonly findings: readonly CliError[];
  readonly notes: readonly string[];
}

const PATH = 'tsconfig.json';

/** Plans the compiler settings that declarations need. @throws CliError E967 */
export function planSettings(folder: string, text: string | undefined): Step {
  const byHand = `Add to compilerOptions by hand:\n${JSON.stringify(compilerSettings, null, 2).slice(2, -2)}`;
  if (text === undefined) {
    const remedy = `Install typescript, write ${PATH} (npx tsc --init), and run toolwright add again. ${byHand}`;
    return createFailedStep(
      new CliError('there is none: the application is not written in TypeScript', {
        code: 'E977',
        place: PATH,
        remedy,
      }),
    );
  }
  const file = join(folder, PATH);
  const names = Object.keys(compilerSettings);
  const found = names.map((name) => ({ name, ...findSetting(file, name) }));
  const missing = found.filter(({ value }) => value !== true);
  const notes = found
    .filter(({ value, from }) => value === true && from !== undefined && from !== file)
    .map(({ name, from = '' }) => `${PATH}: ${name} comes from ${relative(folder, from)}.`);
  if (missing.length === 0) return { changes: [], findings: [], notes };
  const references = referencesOf(file);
  if (references.some((each) => names.every((name) => findSetting(each, name)?.value === true)))
    return { changes: [], findings: [], notes };
  if (references.length > 0) {
    const remedy = `${byHand}\nin the one that compiles the agent.`;
    const problem = `it refers to other projects: ${references.map((each) => relative(folder, each)).join(', ')}`;
    return createFailedStep(new CliError(problem, { code: 'E977', place: PATH, remedy }));
  }
  const wanted = Object.fromEntries(missing.map(({ name }) => [name, true]));
  return {
    changes: [{ path: PATH, before: text, after: setMembers(text, PATH, 'compilerOptions', wanted) }],
    findings: [],
    notes,
  };
}

function createFailedStep(finding: CliError): Step {
  return { changes: [], findings: [finding], notes: [] };
}

function referencesOf(file: string): readonly string[] {
  const paths = readConfig(file).references ?? [];
  return paths.flatMap(({ path }) => {
    if (path === undefined) return [];
    const full = resolve(dirname(file), path);
    return [full.endsWith('.json') ? full : join(full, PATH)];
  });
}

/** Finds the value of a setting, and the file that sets it: this one, or one that it extends. */
function findSetting(file: string, name: string): { readonly value: unknown; readonly from: string } | undefined {
  for (const from of listConfigs(file)) {
    const value = readConfig(from).compilerOptions?.[name];
    if (value !== undefined) return { value, from };
  }
  return undefined;
}

/** Lists a file and the files that it extends. Settings of earlier files override settings of later ones. */
function listConfigs(file: string): readonly string[] {
  const read = new Map<string, string>();
  try {
    parseTsconfig(file, read);
  } catch {
    // It extends a package that is not installed yet. The files found so far count.
  }
  // The library does not list the files, but its cache holds each file that it has read, in order.
  return [...read.keys()].flatMap((key) => /^readFileSync:(.*):utf8$/.exec(key)?.[1] ?? []);
}

function readConfig(file: string): TsConfig {
  if (!existsSync(file)) return {};
  return readJson(readFileSync(file, 'utf8'), file).value ?? {};
}
