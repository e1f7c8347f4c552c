import { createReadStream } from 'node:fs';
import { MAX_LINE_BYTES } from './limits.js';

/** A line of a file without its line end. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  /** Undefined for a line that is too long, or is not UTF-8. */
  readonly text: string | undefined;
  /** The bytes of the file up to the end of this line, with its line end. */
  readonly end: number;
  /** False for a last line without a line end, which a killed process may have left. */
  readonly isEnded: boolean;
}

const LINE_FEED = 0x0a;

/** Reads a file line by line, in memory for one line. @throws the error of the file system */
export async function* readLines(file: string): AsyncGenerator<FileLine, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [parts, size, number, end]: [Buffer[], number, number, number] = [[], 0, 0, 0];
  const decode = (): string | undefined => {
    try {
      return size > MAX_LINE_BYTES ? undefined : decoder.decode(Buffer.concat(parts)).replace(/\r$/, '');
    } catch {
      return undefined;
    }
  };
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      parts.push(chunk.subarray(from, at));
      size += at - from;
      end += size + 1;
      yield { number: ++number, text: decode(), end, isEnded: true };
      [parts, size, from] = [[], 0, at + 1];
    }
    size += chunk.length - from;
    // The rest of a line that is too long is counted, and not kept.
    if (size <= MAX_LINE_BYTES) parts.push(chunk.subarray(from));
    else parts = [];
  }
  if (size > 0) yield { number: ++number, text: decode(), end: end + size, isEnded: false };
}
