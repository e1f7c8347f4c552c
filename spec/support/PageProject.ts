import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** The folders of packages that are not under their own name in node_modules: `npm install typescript` installs TypeScript 7. */
const elsewhere: Readonly<Record<string, string>> = { toolwright: root, typescript: installed('typescript7') };

/** A command of a page, and the output that the page promises for it. */
export interface Promised {
  readonly command: string;
  readonly output: string;
}

/** The steps of a page. */
export interface Instructions {
  /** Texts by file name: blocks below `<!-- file: NAME -->`. */
  readonly files: Readonly<Record<string, string>>;
  /** The line above each of these blocks: what is in a comment, its reader does not see. */
  readonly introductions: Readonly<Record<string, string>>;
  /** The arguments of its `npm install` commands. */
  readonly installs: readonly (readonly string[])[];
  /** Packages that it has installed, without versions. */
  readonly packages: readonly string[];
  /** Shell blocks with a command that runs what was compiled, and the next block of plain text. */
  readonly promised: readonly Promised[];
}

export function instructionsOf(page: string): Instructions {
  const text = readFileSync(join(root, page), 'utf8');
  const files = [...text.matchAll(/^(.*)\n\n<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)^```$/gm)];
  const installs = [...text.matchAll(/^ *npm install (.+)$/gm)].map(([, names = '']) => names.split(' '));
  const runs = [
    ...text.matchAll(/^```sh\n((?:\w+=\S+ )?npx tsc && node .+)\n```\n(?:(?!```)[\s\S])*?^```text\n([\s\S]*?)^```$/gm),
  ];
  return {
    files: Object.fromEntries(files.map(([, , name = '', content = '']) => [name, content])),
    introductions: Object.fromEntries(files.map(([, line = '', name = '']) => [name, line])),
    installs,
    packages: installs
      .flat()
      .filter((name) => !name.startsWith('-'))
      .map((name) => name.replace(/(?<=.)@.*$/, '')),
    promised: runs.map(([, command = '', output = '']) => ({ command, output })),
  };
}

/** The folder of a reader who did what a page says: its files, and the packages that it has installed, no others. */
export class PageProject {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-page-')));

  /** `npm install` is not run, unless scripts/package-check.mjs asks for it: the packages are links into this repository. */
  constructor({ files, installs, packages }: Instructions) {
    writeFileSync(join(this.folder, 'package.json'), '{ "type": "module" }\n');
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.folder, name), text);
    if (process.env['FIRST_STEPS'] === 'npm') {
      for (const names of installs) execFileSync('npm', ['install', ...names], { cwd: this.folder, stdio: 'pipe' });
      return;
    }
    for (const name of packages) {
      const link = join(this.folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(elsewhere[name] ?? installed(name), link, 'junction');
    }
  }

  /** The errors of the compiler; empty if there are none. */
  compile(): Promise<string> {
    return this.#node([join(this.folder, 'node_modules/typescript/bin/tsc')]);
  }

  /** Runs what follows `npx tsc &&` in a command; returns its output. */
  run(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const [, args = ''] = /&& node (.+)$/.exec(command) ?? [];
    return this.#node(args.split(' '), env);
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Without the settings of the process that tests. */
  #node(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { NODE_OPTIONS: _options, NODE_ENV: _env, FORCE_COLOR: _color, ...inherited } = process.env;
    const child = spawn(process.execPath, args, {
      cwd: this.folder,
      env: { ...inherited, NO_COLOR: '1', ...env },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
    return new Promise((done) => child.once('close', () => done(said)));
  }
}

function installed(name: string): string {
  return join(root, 'node_modules', name);
}
