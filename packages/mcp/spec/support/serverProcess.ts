import { transformSync } from '@swc/core';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { swcOptions } from '../../../../spec/toolchain/support/swc';

const root = resolve(__dirname, '../../../..');

/** A program that speaks MCP over its standard input and output, over the built package. */
export class ServerProgram {
  readonly #folder: string;
  readonly command = process.execPath;

  constructor() {
    mkdirSync(join(root, 'build'), { recursive: true });
    // Within this package, where its own name leads to what was built.
    this.#folder = mkdtempSync(join(root, 'build/mcp-server-'));
    this.compile('serverConformance');
    const main = `require('./serverConformance.js').conformanceServer().then(async (server) => {
      await server.connectStdio();
      await server.closed;
      console.error('closed');
    });`;
    writeFileSync(join(this.#folder, 'main.js'), main);
  }

  /** Adds a program of its own, and returns its path; it requires `toolwright` as any other does. */
  add(name: string, source: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, source);
    return path;
  }

  /** Compiles a file beside this one, and returns the path of its program. */
  compile(name: string): string {
    const source = readFileSync(join(__dirname, `${name}.ts`), 'utf8');
    return this.add(`${name}.js`, transformSync(source, swcOptions({ format: 'cjs' })).code);
  }

  get args(): readonly string[] {
    return [join(this.#folder, 'main.js')];
  }

  /** The command line of the official inspector. It reads the version of the package that it is a part of, above its own. */
  inspector(): string {
    const folder = join(this.#folder, 'inspector');
    const installed = join(root, 'node_modules/@modelcontextprotocol/inspector-cli');
    cpSync(installed, join(folder, 'cli'), { recursive: true });
    cpSync(join(installed, 'package.json'), join(folder, 'package.json'));
    return join(folder, 'cli/build/cli.js');
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
