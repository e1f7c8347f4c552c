import { resolve } from 'node:path';
import type { Message } from 'toolwright';
import type { Bundle } from 'toolwright/bundles';
import { CliError } from './CliError.js';
import { parseJson, readFirstLine, readInputFile } from './input.js';
import { MAX_TRANSCRIPT_BYTES } from './limits.js';

/** A run recorded in a file. */
export type Recorded =
  | { readonly kind: 'bundle'; readonly bundle: Bundle }
  | { readonly kind: 'transcript'; readonly messages: readonly Message[] };

/** Reads a bundle of `recordBundle`, or a transcript of `writeTranscript`. @throws CliError E967, E970; E710, E750-E751 */
export async function readRecorded(path: string, folder: string): Promise<Recorded> {
  const { format } = (parseJson(readFirstLine(path, folder), path) ?? {}) as { readonly format?: unknown };
  if (format === 'toolwright/transcript') {
    const { readTranscript } = await import('toolwright');
    return { kind: 'transcript', messages: readTranscript(readInputFile(path, folder, MAX_TRANSCRIPT_BYTES)) };
  }
  if (format === 'toolwright/bundle') {
    const { readBundleFile } = await import('toolwright/bundles');
    return { kind: 'bundle', bundle: await readBundleFile(resolve(folder, path)) };
  }
  throw new CliError('it is neither a bundle nor a transcript', { code: 'E970', place: path });
}
