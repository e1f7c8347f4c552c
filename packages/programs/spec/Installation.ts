import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { node, write, type Ending } from '../../../spec/toolchain/support/Workspace';

const root = resolve(__dirname, '../../..');

/** Packages that are installed under another's name, or left out: `{ typescript: 'typescript7', acorn: null }`. */
export type Replaced = Readonly<Record<string, string | null>>;

/** A user's folder in which the built package is installed with everything that it can use, but for what is replaced. */
export class Installation {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-installation-')));

  constructor(replaced: Replaced) {
    const needed = [
      ...this.#copy(root, 'toolwright'),
      ...this.#copy(join(root, 'packages/programs'), '@toolwright/programs'),
    ];
    for (const name of needed.filter((each) => each !== 'toolwright')) {
      const installed = replaced[name] === undefined ? name : replaced[name];
      if (installed === null) continue;
      const source = join(root, 'node_modules', installed);
      const link = join(this.#folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(source, link, 'junction');
    }
  }

  /** Copies a package, since what a linked one imports is looked for where it really is; returns the names of what it needs. */
  #copy(folder: string, name: string): readonly string[] {
    const target = join(this.#folder, 'node_modules', name);
    cpSync(join(folder, 'package.json'), join(target, 'package.json'));
    const filter = (path: string): boolean => !/\.(?:map|d\.[cm]ts)$/.test(path);
    cpSync(join(folder, 'dist'), join(target, 'dist'), { recursive: true, filter });
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly dependencies?: object;
      readonly peerDependencies: object;
    };
    return Object.keys({ ...dependencies, ...peerDependencies });
  }

  /**
   * Runs the body of an async function in a process of its own. What keeps the process alive for long after that body is a
   * fault: exit code 9.
   */
  run(format: 'esm' | 'cjs', body: string): Promise<Ending> {
    return runTogether([this.module(format, body)]);
  }

  /** Writes a module whose `main` is an async function with that body; returns its path. */
  module(format: 'esm' | 'cjs', body: string): string {
    const load =
      format === 'esm'
        ? (names: string, path: string) => `import { ${names} } from '${path}';`
        : (names: string, path: string) => `const { ${names} } = require('${path}');`;
    const text = [
      load('defineTool', 'toolwright'),
      load('QuickJsSandbox, Toolkit', '@toolwright/programs'),
      `${format === 'esm' ? 'export const main' : 'exports.main'} = async () => {${body}};`,
    ];
    const file = `main.${format === 'esm' ? 'mjs' : 'cjs'}`;
    write(this.#folder, { [file]: text.join('\n') });
    return join(this.#folder, file);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Runs modules one after the other in one process, which says a line for each. */
export function runTogether(modules: readonly string[]): Promise<Ending> {
  const program = `
    (async () => {
      for (const path of ${JSON.stringify(modules.map((path) => pathToFileURL(path).href))}) {
        const { main } = await import(path);
        await main();
        process.stdout.write('\\n');
      }
    })().then(() => setTimeout(() => process.exit(9), 20_000).unref());
  `;
  // The engine runs a line or two: optimizing its machine code would cost more than the rest.
  return node(dirname(modules[0] ?? ''), ['--liftoff-only', '-e', program]);
}
