import type { ProgramPlace } from '../faultAt.js';
import type { Parsers } from './parsers.js';
import { tooDeep } from './parseScript.js';
import type { SourceMap } from './sourcePlace.js';

/** TypeScript without its types, or the syntax error. */
export type Stripped =
  | { readonly ok: true; readonly text: string; readonly map: SourceMap }
  | { readonly ok: false; readonly place: ProgramPlace; readonly complaint: string };

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
    return { ok: false, ...complaintOf(error) };
  }
}

function complaintOf(error: unknown): { readonly place: ProgramPlace; readonly complaint: string } {
  if (error instanceof RangeError) {
    return { place: { line: 1, column: 1 }, complaint: tooDeep };
  }
  const { message } = error as Error;
  const [, complaint = message, line = '1', column = '1'] =
    /^(?:Error transforming program\.ts: )?(.*?) \((\d+):(\d+)\)$/s.exec(message) ?? [];
  return { place: { line: Number(line), column: Number(column) }, complaint };
}
