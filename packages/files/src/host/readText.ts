import { isUtf8 } from 'node:buffer';
import type { HostEntry } from './HostEntry.js';

/** The number of bytes that are read at a time. */
const PART_BYTES = 65_536;

/** The text of a file, or the reason why it could not be read as text. */
export type HostText =
  { readonly text: string } | { readonly text?: undefined; readonly lacking: 'binary' | 'tooLarge' };

/** @param most the maximum number of bytes to read, regardless of the reported size of the file */
export async function readText(file: HostEntry, most: number): Promise<HostText> {
  if (file.stats.size > most) return { lacking: 'tooLarge' };
  const bytes = await readBytes(file, most + 1);
  if (bytes.length > most) return { lacking: 'tooLarge' };
  return isUtf8(bytes) && !bytes.includes(0) ? { text: bytes.toString() } : { lacking: 'binary' };
}

async function readBytes(file: HostEntry, most: number): Promise<Buffer> {
  const handle = await file.openToRead();
  try {
    const parts: Buffer[] = [];
    for (let missing = most; missing > 0;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(Math.min(missing, PART_BYTES)));
      if (bytesRead === 0) break;
      parts.push(buffer.subarray(0, bytesRead));
      missing -= bytesRead;
    }
    return Buffer.concat(parts);
  } finally {
    await handle.close();
  }
}
