import { createReadStream } from 'node:fs';
import { messageOf } from '../common/text.js';
import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import { excessOfText } from '../schema/jsonExtent.js';
import type { Bundle, BundleEntry, BundleHead } from './BundleEntry.js';
import { tooLarge, unreadable } from './bundleFaults.js';
import { checkEntry, checkHead } from './checkEntry.js';

/** How much is read. */
export interface ReadBundleOptions {
  /** The most bytes of a bundle; 128 MiB when left out. */
  readonly maxBytes?: number | undefined;
  /** The most entries; 500,000 when left out. */
  readonly maxEntries?: number | undefined;
}

const optionNames: OptionNames<ReadBundleOptions> = { maxBytes: 1, maxEntries: 1 };

const MOST_BYTES = 128 * 1024 * 1024;
const MOST_ENTRIES = 500_000;
/** What one line may hold: the values of JSON take many times the memory of their text. */
const LINE = { values: 200_000, depth: 100 };

/**
 * Reads a bundle that `recordBundle` wrote. It stops at the first byte too many, so that a file of any size can be tried.
 *
 * @param source the text, or its parts as they come, such as the stream of a file or of a request
 * @throws PromptError E413 for an unknown option, ToolwrightError E750 with the first line that does not fit, E751, and what the
 * source throws
 * @example
 * const bundle = await readBundle(createReadStream('run.bundle.jsonl'));
 */
export async function readBundle(
  source: string | AsyncIterable<string | Uint8Array>,
  options: ReadBundleOptions = {},
): Promise<Bundle> {
  requireOptionNames('readBundle', options, optionNames);
  const reader = new LineReader(options);
  if (typeof source === 'string') reader.take(Buffer.from(source));
  else for await (const part of source) reader.take(typeof part === 'string' ? Buffer.from(part) : part);
  return reader.end();
}

/**
 * Reads a bundle from a file.
 *
 * @param path relative to the working directory, or absolute
 * @throws what `readBundle` throws, and what Node throws for a file that cannot be read
 */
export function readBundleFile(path: string, options: ReadBundleOptions = {}): Promise<Bundle> {
  return readBundle(createReadStream(path), options);
}

/** Reads lines from parts that end anywhere. */
class LineReader {
  readonly #maxBytes: number;
  readonly #maxEntries: number;
  readonly #entries: BundleEntry[] = [];
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #head: BundleHead | undefined;
  #rest: string[] = [];
  #bytes = 0;
  #line = 0;

  constructor({ maxBytes = MOST_BYTES, maxEntries = MOST_ENTRIES }: ReadBundleOptions) {
    this.#maxBytes = maxBytes;
    this.#maxEntries = maxEntries;
  }

  take(part: Uint8Array): void {
    this.#bytes += part.byteLength;
    if (this.#bytes > this.#maxBytes)
      throw tooLarge('the bundle', `it has more than ${String(this.#maxBytes)} bytes (maxBytes)`);
    this.#text(this.#decoded(part, true));
  }

  end(): Bundle {
    this.#text(this.#decoded(new Uint8Array(), false));
    this.#add(this.#rest.join(''));
    if (this.#head === undefined) throw unreadable(1, 'expected a bundle, and it is empty');
    return { head: this.#head, entries: this.#entries };
  }

  #decoded(part: Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(part, { stream });
    } catch (cause) {
      throw unreadable(this.#line + 1, 'it is not UTF-8', cause);
    }
  }

  #text(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      this.#rest.push(text.slice(from, at));
      this.#add(this.#rest.join(''));
      this.#rest = [];
      from = at + 1;
    }
    if (from < text.length) this.#rest.push(text.slice(from));
  }

  #add(text: string): void {
    if (text.trim() === '') return;
    this.#line++;
    const excess = excessOfText(text, LINE);
    if (excess !== undefined) {
      const most = excess === 'depth' ? `is nested more than ${String(LINE.depth)} deep` : 'holds too many values';
      throw tooLarge(`line ${String(this.#line)}`, `what it holds ${most}`);
    }
    const value = this.#parsed(text);
    if (this.#head === undefined) this.#head = checkHead(value);
    else if (this.#entries.length >= this.#maxEntries)
      throw tooLarge('the bundle', `it has more than ${String(this.#maxEntries)} entries (maxEntries)`);
    else this.#entries.push(checkEntry(value, this.#line, this.#entries.at(-1)?.seq ?? -1));
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw unreadable(this.#line, `it is not JSON: ${messageOf(cause).slice(0, 200)}`, cause);
    }
  }
}
