import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { projectOptions, type Compiler } from './Compiler.js';
import { execute, write } from './Workspace.js';

const platform = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
const installed = createRequire(resolve(__dirname, '../../../node_modules/typescript7/package.json')).resolve(platform);
/** The native program, which the command `tsc` does nothing but start. */
const command = join(dirname(installed), 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc');

/** Runs `tsc -p` of TypeScript 7, which is a program and has no API. */
export const tsc7: Compiler = {
  name: 'tsc 7',
  async compile(...projects) {
    const ends = await Promise.all(
      projects.map(({ folder, settings }) => {
        const options = { ...projectOptions(settings), noCheck: true };
        write(folder, { 'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['src'] }) });
        return execute(command, folder, ['-p', join(folder, 'tsconfig.json')]);
      }),
    );
    const said = ends.filter(({ code }) => code !== 0).map(({ stdout, stderr }) => stdout + stderr);
    if (said.length > 0) throw new Error(`tsc 7 failed:\n${said.join('\n')}`);
  },
};
