import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '../../..');
const linked = ['reflect-metadata', 'class-validator', 'class-transformer', 'typedi', 'vite'];
const ours = ['@eslint-community/regexpp', 'fastest-levenshtein'];

/** What a program said before it ended. */
export interface Ending {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Files of a project, by path. */
export type Sources = Readonly<Record<string, string>>;

/**
 * A temporary folder in which `toolwright` is installed as npm would do it: a copy of the built package in `node_modules`.
 * So no compiler and no bundler sees the sources of the package.
 */
export class Workspace {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-toolchain-')));

  #projects = 0;

  constructor() {
    if (!existsSync(join(root, 'dist/esm/index.js')) || !existsSync(join(root, 'dist/cjs/index.js')))
      throw new Error('dist/ is missing. `npm test` builds it before the specs run; alone: `npm run build`.');
    const installed = this.#place('node_modules/toolwright');
    cpSync(join(root, 'package.json'), join(installed, 'package.json'));
    cpSync(join(root, 'dist'), join(installed, 'dist'), { recursive: true });
    for (const name of [...linked, ...ours]) {
      const link = this.#place(join('node_modules', name));
      rmSync(link, { recursive: true });
      symlinkSync(join(root, 'node_modules', name), link, 'junction');
    }
  }

  /** Writes a new project: its files and a `package.json` of the module format. */
  project(format: 'esm' | 'cjs', files: Sources): string {
    const folder = this.#place(`project-${String(++this.#projects)}`);
    write(folder, { 'package.json': JSON.stringify({ type: format === 'esm' ? 'module' : 'commonjs' }), ...files });
    return folder;
  }

  /** Removes everything. */
  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #place(path: string): string {
    const folder = join(this.folder, path);
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}

/** Writes files, making their folders. */
export function write(folder: string, files: Sources): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Runs Node to the end, without the settings of the process that tests. */
export function node(cwd: string, args: readonly string[], env: Sources = {}): Promise<Ending> {
  const { NODE_OPTIONS: _options, NODE_ENV: _env, ...inherited } = process.env;
  return new Promise((done) => {
    execFile(
      process.execPath,
      [...args],
      { cwd, env: { ...inherited, NO_COLOR: '1', ...env } },
      (error, stdout, stderr) => {
        done({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
      },
    );
  });
}

/** Runs what a compiler made of `src/main.ts`. */
export function run(folder: string): Promise<Ending> {
  return node(folder, ['out/main.js']);
}
