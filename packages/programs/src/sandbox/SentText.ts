/**
 * A text on its way between threads. A long one is handed over as bytes: its copy as a string, in the turn in which its message
 * arrives, would hold the thread that receives many of them.
 */
export type SentText = string | SentBytes;

interface SentBytes {
  readonly bytes: Buffer;
  readonly encoding: 'latin1' | 'utf16le';
}

/** The shortest text that is handed over as bytes, in characters. */
const LONG_CHARS = 16_384;

/** @param byteLength of the text in UTF-8: equal to its length if all of its characters are ASCII */
export function packText(text: string, byteLength: number): SentText {
  if (text.length < LONG_CHARS) return text;
  const encoding = byteLength === text.length ? 'latin1' : 'utf16le';
  // A buffer of its own: one from a pool cannot be handed over.
  const bytes = Buffer.allocUnsafeSlow(encoding === 'latin1' ? text.length : text.length * 2);
  bytes.write(text, encoding);
  return { bytes, encoding };
}

export function readText(text: SentText): string {
  if (typeof text === 'string') return text;
  const { buffer, byteOffset, byteLength } = text.bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString(text.encoding);
}

/** The buffers of these texts, which are handed over with their message. */
export function buffersOf(texts: readonly (SentText | undefined)[]): readonly ArrayBuffer[] {
  return texts.flatMap((text) => (typeof text === 'object' ? [text.bytes.buffer as ArrayBuffer] : []));
}
