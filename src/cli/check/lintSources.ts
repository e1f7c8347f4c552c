import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Problem } from './Problem.js';

/** The parts of ESLint that are used; it is the project's own. */
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

const RULE = 'toolwright/declared-properties';

/**
 * Runs the rule that finds properties which nothing is left of at run time, with the project's own ESLint.
 *
 * @returns what it found, or the package that is missing
 */
export async function lintSources(folder: string, files: readonly string[]): Promise<readonly Problem[] | string> {
  const eslint = (await imported(folder, 'eslint')) as EslintModule | undefined;
  if (eslint === undefined) return 'eslint';
  const parser = (await imported(folder, '@typescript-eslint/parser')) ?? (await parserOf(folder));
  if (parser === undefined) return 'typescript-eslint';
  const plugin = await import('../../integration/eslint/index.js');
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
    messages.flatMap(({ ruleId, message, line }): readonly Problem[] => {
      if (ruleId !== RULE) return [];
      const file = relative(folder, filePath).split(sep).join('/');
      return [{ rule: RULE, level: 'error', message, place: file, file, line }];
    }),
  );
}

async function parserOf(folder: string): Promise<unknown> {
  const whole = (await imported(folder, 'typescript-eslint')) as { readonly parser?: unknown } | undefined;
  return whole?.parser;
}

async function imported(folder: string, name: string): Promise<unknown> {
  try {
    const path = createRequire(join(folder, 'package.json')).resolve(name);
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: object };
    return { ...module.default, ...module };
  } catch {
    return undefined;
  }
}
