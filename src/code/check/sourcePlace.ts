import { SourceMap as MapReader, type SourceMapPayload } from 'node:module';
import type { ProgramPlace } from '../faultAt.js';

/** Maps the tokens of a transformed text to the original. */
export type SourceMap = Pick<SourceMapPayload, 'version' | 'file' | 'sources' | 'names' | 'mappings'>;

/** Maps a place in the transformed text to the original. Lines are the same; columns are found by token. */
export function sourcePlace(map: SourceMap, { line, column }: ProgramPlace): ProgramPlace {
  const reader = new MapReader({ ...map, sourcesContent: [], sourceRoot: '' });
  const entry = reader.findEntry(line - 1, column - 1);
  if (!('originalColumn' in entry) || entry.originalLine !== line - 1) return { line, column };
  const offset = entry.generatedLine === line - 1 ? column - 1 - entry.generatedColumn : 0;
  return { line, column: entry.originalColumn + offset + 1 };
}
