/**
 * A text on its way between threads. Long texts are transferred as bytes: copying many strings in the turns in which their messages
 * arrive would hold the receiving thread.
 */
export type SentText = string | SentBytes;

interface SentBytes {
  readonly bytes: Buffer;
  readonly encoding: 'latin1' | 'utf16le';
}

/** Minimum length of a text that is transferred as bytes, in characters. */
const LONG_CHARS = 16_384;

/** @param byteLength length of the text in UTF-8; equal to the length in characters if the text is ASCII */
export function packText(text: string, byteLength: number): SentText {
  if (text.length < LONG_CHARS) return text;
  const encoding = byteLength === text.length ? 'latin1' : 'utf16le';
  // Not from a pool: a pooled buffer cannot be transferred.
  const bytes = Buffer.allocUnsafeSlow(encoding === 'latin1' ? text.length : text.length * 2);
  bytes.write(text, encoding);
  return { bytes, encoding };
}

export function readText(text: SentText): string {
  if (typeof text === 'string') return text;
  const { buffer, byteOffset, byteLength } = text.bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString(text.encoding);
}

/** Returns the buffers of these texts, to be transferred with their message. */
export function buffersOf(texts: readonly (SentText | undefined)[]): readonly ArrayBuffer[] {
  return texts.flatMap((text) => (typeof text === 'object' ? [text.bytes.buffer as ArrayBuffer] : []));
}
