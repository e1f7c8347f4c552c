import type { ProgramPlace } from '../createFault.js';
import type { Parsers } from './createParsers.js';
import { tooDeep } from './parseScript.js';
import type { SourceMap } from './mapToSource.js';

/** TypeScript without its types, or the syntax error. */
export type Stripped =
  | { readonly ok: true; readonly text: string; readonly map: SourceMap }
  | { readonly ok: false; readonly place: ProgramPlace; readonly diagnostic: string };

/** Removes the types of a program. Lines are kept; columns change. */
export function stripTypes(source: string, { sucrase }: Parsers): Stripped {
  try {
    const { code, sourceMap } = sucrase.transform(source, {
      transforms: ['typescript'],
      disableESTransforms: true,
      // Keeps unused imports: they have to be seen to be refused.
      keepUnusedImports: true,
      filePath: 'program.ts',
      sourceMapOptions: { compiledFilename: 'program.js' },
    });
    const { version = 3, file = '', sources = [], names = [], mappings = '' } = sourceMap ?? {};
    return { ok: true, text: code, map: { version, file, sources, names, mappings } };
  } catch (error) {
    return { ok: false, ...diagnosticOf(error) };
  }
}

function diagnosticOf(error: unknown): { readonly place: ProgramPlace; readonly diagnostic: string } {
  if (error instanceof RangeError) {
    return { place: { line: 1, column: 1 }, diagnostic: tooDeep };
  }
  const { message } = error as Error;
  const [, diagnostic = message, line = '1', column = '1'] =
    /^(?:Error transforming program\.ts: )?(.*?) \((\d+):(\d+)\)$/s.exec(message) ?? [];
  return { place: { line: Number(line), column: Number(column) }, diagnostic };
}
