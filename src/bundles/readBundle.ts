import { createReadStream } from 'node:fs';
import { copyOwnOptions } from '../common/objects.js';
import { cut, describeValue, messageOf } from '../common/text.js';
import { TimeSlice } from '../common/TimeSlice.js';
import { isObject } from '../common/guards.js';
import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import { createPromptError } from '../error/PromptError.js';
import { JsonCounter } from '../schema/parse/jsonExtent.js';
import type { Bundle, BundleEntry, BundleHead } from './BundleEntry.js';
import { createBundleSizeError, createUnreadableError, checkEntry, checkHead } from './checkEntry.js';
import { LINE_EXTENT, MAX_BUNDLE_BYTES, MAX_BUNDLE_ENTRIES, MAX_BUNDLE_VALUES } from './limits.js';

/** Limits of `readBundle`. */
export interface ReadBundleOptions {
  /** The most bytes of a bundle; 128 MiB when left out. */
  readonly maxBytes?: number | undefined;
  /** The most entries; 500,000 when left out. */
  readonly maxEntries?: number | undefined;
}

const optionNames: OptionNames<ReadBundleOptions> = { maxBytes: 1, maxEntries: 1 };

/** Characters or bytes that are read in one piece. */
const PIECE = 16_384;

/**
 * Reads a bundle that `recordBundle` wrote, in pieces between which other work of the process gets its turn. It stops at the
 * first byte, line or value too many, so that a file of any size can be tried.
 *
 * @param source the text, or its parts as they come, such as the stream of a file or of a request
 * @throws PromptError E413 for an unknown option or a limit that is not a number, ToolwrightError E750 with the first line that does not
 * fit, E751, and the errors of the source
 * @example
 * const bundle = await readBundle(createReadStream('run.bundle.jsonl'));
 */
export async function readBundle(
  source: string | AsyncIterable<string | Uint8Array>,
  options: ReadBundleOptions = {},
): Promise<Bundle> {
  requireOptionNames('readBundle', options, optionNames);
  const { maxBytes, maxEntries } = copyOwnOptions(options);
  const reader = new LineReader({
    maxBytes: readLimit('maxBytes', maxBytes),
    maxEntries: readLimit('maxEntries', maxEntries),
  });
  const slice = new TimeSlice();
  for await (const part of splitParts(source))
    for (const piece of readPieces(part)) {
      reader.take(piece);
      if (slice.isOver) await slice.next();
    }
  return reader.end();
}

/** @throws PromptError E413 for a limit that is not a number: any size would be read */
function readLimit(name: keyof ReadBundleOptions, value: unknown): number | undefined {
  if (value === undefined || (typeof value === 'number' && value > 0)) return value;
  const problem = `${name} is ${describeValue(value)}; a number above 0 is expected`;
  throw createPromptError(problem, { code: 'E413', place: 'readBundle' });
}

/** @throws ToolwrightError E750 for a value that is neither a text nor the parts of one */
function splitParts(source: unknown): AsyncIterable<string | Uint8Array> | Iterable<string> {
  if (typeof source === 'string') return [source];
  if (isObject(source) && (Symbol.asyncIterator in source || Symbol.iterator in source))
    return source as AsyncIterable<string | Uint8Array>;
  throw createUnreadableError(1, `expected a text or its parts, got ${describeValue(source)}`);
}

/** The bytes of a part, which may be of any size. */
function* readPieces(part: string | Uint8Array): Generator<Uint8Array> {
  if (part instanceof Uint8Array) {
    for (let at = 0; at < part.byteLength; at += PIECE) yield part.subarray(at, at + PIECE);
    return;
  }
  if (typeof part !== 'string')
    throw createUnreadableError(1, `expected parts of text or bytes, got ${describeValue(part)}`);
  for (let at = 0; at < part.length;) {
    const piece = cut(part.slice(at, at + PIECE), PIECE);
    yield Buffer.from(piece);
    at += piece.length;
  }
}

/**
 * Reads a bundle from a file.
 *
 * @param path relative to the working directory, or absolute
 * @throws the errors of `readBundle`, and Node's own error for a file that cannot be read
 */
export function readBundleFile(path: string, options: ReadBundleOptions = {}): Promise<Bundle> {
  return readBundle(createReadStream(path), options);
}

/** Reads lines from pieces that end anywhere. */
class LineReader {
  readonly #maxBytes: number;
  readonly #maxEntries: number;
  readonly #entries: BundleEntry[] = [];
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #head: BundleHead | undefined;
  /** The beginning of a line whose end has not come, and its characters. */
  #rest: string[] = [];
  #chars = 0;
  #counter = new JsonCounter(LINE_EXTENT);
  #bytes = 0;
  #values = 0;
  /** The line that is read, from 1. */
  #line = 1;

  constructor({ maxBytes = MAX_BUNDLE_BYTES, maxEntries = MAX_BUNDLE_ENTRIES }: ReadBundleOptions) {
    this.#maxBytes = maxBytes;
    this.#maxEntries = maxEntries;
  }

  take(piece: Uint8Array): void {
    this.#bytes += piece.byteLength;
    if (this.#bytes > this.#maxBytes)
      throw createBundleSizeError('the bundle', `it has more than ${String(this.#maxBytes)} bytes (maxBytes)`);
    this.#readText(this.#decode(piece, true));
  }

  end(): Bundle {
    this.#readText(this.#decode(new Uint8Array(), false));
    this.#endLine();
    if (this.#head === undefined) throw createUnreadableError(1, 'expected a bundle, and it is empty');
    return { head: this.#head, entries: this.#entries };
  }

  #decode(piece: Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(piece, { stream });
    } catch (cause) {
      throw createUnreadableError(this.#line, 'it is not UTF-8', cause);
    }
  }

  #readText(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      if (at > from) this.#add(text.slice(from, at));
      this.#endLine();
      this.#line++;
      from = at + 1;
    }
    if (from < text.length) this.#add(text.slice(from));
  }

  /** Adds to the line, and refuses it as soon as it is too large. */
  #add(text: string): void {
    this.#rest.push(text);
    this.#chars += text.length;
    const excess = this.#chars > LINE_EXTENT.chars ? 'chars' : this.#counter.add(text).excess;
    if (excess === undefined) return;
    const unit = { chars: 'characters', values: 'values', depth: 'levels of nesting' }[excess];
    throw createBundleSizeError(
      `line ${String(this.#line)}`,
      `it has more than ${String(LINE_EXTENT[excess])} ${unit}`,
    );
  }

  #endLine(): void {
    if (this.#chars === 0) return;
    const text = this.#rest.join('');
    this.#values += this.#counter.values;
    this.#rest = [];
    this.#chars = 0;
    this.#counter = new JsonCounter(LINE_EXTENT);
    if (this.#values > MAX_BUNDLE_VALUES)
      throw createBundleSizeError(
        'the bundle',
        `its lines hold more than ${String(MAX_BUNDLE_VALUES)} values together`,
      );
    if (text.trim() !== '') this.#readEntry(this.#parseLine(text));
  }

  #readEntry(value: unknown): void {
    if (this.#head === undefined) this.#head = checkHead(value);
    else if (this.#entries.length >= this.#maxEntries)
      throw createBundleSizeError('the bundle', `it has more than ${String(this.#maxEntries)} entries (maxEntries)`);
    else this.#entries.push(checkEntry(value, this.#line, this.#entries.at(-1)?.seq ?? -1));
  }

  #parseLine(text: string): unknown {
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw createUnreadableError(this.#line, `it is not JSON: ${messageOf(cause).slice(0, 200)}`, cause);
    }
  }
}
