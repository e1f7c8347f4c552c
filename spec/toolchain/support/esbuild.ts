import { transformSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilerOptions, sourcesOf, type Compiler } from './Compiler.js';
import { write } from './Workspace.js';

/** esbuild, file by file, as tsx and tsup use it. It emits no types. */
export const esbuild: Compiler = {
  name: 'esbuild',
  async compile(...projects) {
    for (const { folder, settings } of projects)
      for (const file of sourcesOf(folder)) {
        const { code } = transformSync(readFileSync(join(folder, 'src', file), 'utf8'), {
          loader: 'ts',
          format: settings.format,
          platform: 'node',
          target: 'es2022',
          tsconfigRaw: { compilerOptions: compilerOptions(settings) },
        });
        write(folder, { [`out/${file.replace(/\.ts$/, '.js')}`]: code });
      }
  },
};
