import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { execPath } from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { MAX_LINTED_FILES } from '../limits.js';
import type { Problem } from './reports.js';

/** The parts of the project's own ESLint that are used. */
interface EslintModule {
  readonly ESLint: new (options: object) => {
    lintFiles(files: readonly string[]): Promise<readonly LintResult[]>;
  };
}

interface LintResult {
  readonly filePath: string;
  readonly messages: readonly {
    readonly ruleId: string | null;
    readonly message: string;
    readonly line?: number;
  }[];
}

/** The output of oxlint with `--format json`. */
interface OxlintReport {
  readonly diagnostics: readonly {
    readonly message: string;
    readonly code?: string;
    readonly filename: string;
    readonly labels: readonly { readonly span: { readonly line: number } }[];
  }[];
}

const RULE = 'toolwright/declared-properties';
/** The code of the same rule in the reports of oxlint. */
const OXLINT_CODE = 'toolwright(declared-properties)';

/**
 * Runs the rule that finds properties without a decorator, with the project's own ESLint or oxlint.
 *
 * @returns the problems; undefined if the project has neither
 */
export async function lintSources(folder: string, files: readonly string[]): Promise<readonly Problem[] | undefined> {
  return (await lintWithEslint(folder, files)) ?? (await lintWithOxlint(folder, files));
}

async function lintWithEslint(folder: string, files: readonly string[]): Promise<readonly Problem[] | undefined> {
  const eslint = (await importOf(folder, 'eslint')) as EslintModule | undefined;
  const parser = (await importOf(folder, '@typescript-eslint/parser')) ?? (await findParser(folder));
  if (eslint === undefined || parser === undefined) return undefined;
  const plugin = await import('toolwright/eslint');
  const config = {
    files: ['**/*.{ts,mts,cts}'],
    languageOptions: { parser },
    plugins: { toolwright: { meta: plugin.meta, rules: plugin.rules } },
    rules: { [RULE]: 'error' },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
  };
  const linter = new eslint.ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: [config] });
  const results = await linter.lintFiles(files);
  return results.flatMap(({ filePath, messages }) =>
    // ESLint also reports comments about rules that this run does not have.
    messages.flatMap(({ ruleId, message, line }) =>
      ruleId === RULE ? [toProblem(folder, filePath, message, line)] : [],
    ),
  );
}

async function findParser(folder: string): Promise<unknown> {
  const whole = (await importOf(folder, 'typescript-eslint')) as { readonly parser?: unknown } | undefined;
  return whole?.parser;
}

async function lintWithOxlint(folder: string, files: readonly string[]): Promise<readonly Problem[] | undefined> {
  const manifest = resolveFrom(folder, 'oxlint/package.json');
  const plugin = resolveFrom(folder, 'toolwright/eslint');
  if (manifest === undefined || plugin === undefined) return undefined;
  const command = join(dirname(manifest), 'bin/oxlint');
  const own = mkdtempSync(join(tmpdir(), 'toolwright-oxlint-'));
  try {
    const config = join(own, 'oxlint.json');
    const rules = { [RULE]: 'error' };
    writeFileSync(config, JSON.stringify({ jsPlugins: [plugin], categories: { correctness: 'off' }, rules }));
    const found: Problem[] = [];
    for (let from = 0; from < files.length; from += MAX_LINTED_FILES) {
      const some = files.slice(from, from + MAX_LINTED_FILES);
      const report = await runOxlint([command, '--config', config, '--format', 'json', ...some], folder);
      if (report === undefined) return undefined;
      for (const { code, message, filename, labels } of report.diagnostics)
        if (code === OXLINT_CODE)
          found.push(toProblem(folder, resolve(folder, filename), message, labels[0]?.span.line));
    }
    return found;
  } finally {
    rmSync(own, { recursive: true });
  }
}

/** Runs oxlint. Returns undefined for a version that cannot load plugins. */
async function runOxlint(args: readonly string[], cwd: string): Promise<OxlintReport | undefined> {
  // The exit code is 1 if it found problems.
  const ended = await promisify(execFile)(execPath, args, { cwd, maxBuffer: 2 ** 26 }).catch(
    (failed: unknown) => failed as { readonly stdout?: string },
  );
  try {
    return JSON.parse(ended.stdout ?? '') as OxlintReport;
  } catch {
    return undefined;
  }
}

function toProblem(folder: string, path: string, message: string, line: number | undefined): Problem {
  const file = relative(folder, path).split(sep).join('/');
  return { rule: RULE, level: 'error', message, place: file, file, line };
}

async function importOf(folder: string, name: string): Promise<unknown> {
  const path = resolveFrom(folder, name);
  if (path === undefined || !isAbsolute(path)) return undefined;
  try {
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: object };
    return { ...module.default, ...module };
  } catch {
    return undefined;
  }
}

function resolveFrom(folder: string, name: string): string | undefined {
  try {
    return createRequire(join(folder, 'package.json')).resolve(name);
  } catch {
    return undefined;
  }
}
