import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '../../..');
const installed = ['reflect-metadata', 'class-validator', 'class-transformer', 'typedi', 'vite'];

/** The output of a program. */
export interface Ending {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Files of a project, by path. */
export type Sources = Readonly<Record<string, string>>;

/** A temporary folder with projects, from which the packages are imported as they were built. */
export class Workspace {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-toolchain-')));
  #projects = 0;

  constructor() {
    if (!existsSync(join(root, 'dist/index.mjs')) || !existsSync(join(root, 'dist/index.cjs')))
      throw new Error('dist/ is missing. `npm test` builds it before the specs run; alone: `npm run build`.');
    mkdirSync(join(this.folder, 'node_modules'));
    const link = (name: string, target: string): void => {
      symlinkSync(target, join(this.folder, 'node_modules', name), 'junction');
    };
    link('toolwright', root);
    link('@toolwright', join(root, 'node_modules/@toolwright'));
    for (const name of installed) link(name, join(root, 'node_modules', name));
  }

  /** Writes a new project: its files and a `package.json` of the module format. */
  project(format: 'esm' | 'cjs', files: Sources): string {
    const folder = join(this.folder, `project-${String(++this.#projects)}`);
    write(folder, { 'package.json': JSON.stringify({ type: format === 'esm' ? 'module' : 'commonjs' }), ...files });
    return folder;
  }

  /** Removes everything. */
  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
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
  return execute(process.execPath, cwd, args, env);
}

/** Runs a program to the end, without the settings of the process that tests. */
export function execute(program: string, cwd: string, args: readonly string[], env: Sources = {}): Promise<Ending> {
  const { NODE_OPTIONS: _options, NODE_ENV: _env, ...inherited } = process.env;
  return new Promise((done) => {
    execFile(program, [...args], { cwd, env: { ...inherited, NO_COLOR: '1', ...env } }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}

/** Runs what a compiler made of `src/main.ts`. */
export function run(folder: string): Promise<Ending> {
  return node(folder, ['out/main.js']);
}
