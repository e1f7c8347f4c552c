import { transformSync, type Options, type TransformConfig } from '@swc/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourcesOf, type Compiler, type Settings } from './Compiler.js';
import { write } from './Workspace.js';

/** The compiler of swc, with options as in `.swcrc`. */
export const swc: Compiler = {
  name: 'swc',
  async compile(...projects) {
    for (const { folder, settings } of projects) {
      for (const file of sourcesOf(folder)) {
        const { code } = transformSync(readFileSync(join(folder, 'src', file), 'utf8'), swcOptions(settings));
        write(folder, { [`out/${file.replace(/\.ts$/, '.js')}`]: code });
      }
    }
  },
};

/** The options of swc, without those that say where files are. */
export function swcOptions({ format, metadata = true, standard = false, defineFields = false }: Settings): Options {
  const legacy: TransformConfig = {
    legacyDecorator: true,
    decoratorMetadata: metadata,
    useDefineForClassFields: defineFields,
  };
  return {
    configFile: false,
    swcrc: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: standard ? { decoratorVersion: '2022-03' } : legacy,
    },
    module: { type: format === 'esm' ? 'es6' : 'commonjs' },
  };
}
