import { open } from 'node:fs/promises';
import { isAbsent } from './logFault.js';
import { isEpoch, readLine } from './logLine.js';
import { linesOf } from './linesOf.js';

/** The conversation that a file belongs to, by the first line that can be read; undefined if there is none. */
export async function headOf(path: string): Promise<string | undefined> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    for await (const bytes of linesOf(handle, 0, size)) {
      const line = readLine(bytes, {});
      if (line !== undefined && !('foreign' in line) && isEpoch(line)) return line.conversation;
    }
    return undefined;
  } finally {
    await handle.close();
  }
}
