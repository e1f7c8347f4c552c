import { closeSync, openSync, readSync, existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { stdin } from 'node:process';
import { messageOf } from 'toolwright/internal/light';
import { CliError } from './CliError.js';
import { MAX_INPUT_BYTES } from './limits.js';

const PIECE_BYTES = 65_536;

/** Reads a file named on the command line, in pieces, so that an endless device ends in an error. @throws CliError E970 */
export function readInputFile(path: string, folder: string, maxBytes = MAX_INPUT_BYTES): string {
  const bytes = readBeginning(path, folder, { maxBytes: maxBytes + 1 });
  if (bytes.length > maxBytes) throw createSizeError(path, maxBytes);
  return bytes.toString();
}

/** Reads the first line of a file, or only the start of a line that is too long. @throws CliError E970 */
export function readFirstLine(path: string, folder: string): string {
  const beginning = readBeginning(path, folder, { maxBytes: PIECE_BYTES, end: '\n' }).toString();
  return beginning.slice(0, Math.max(0, beginning.indexOf('\n'))) || beginning;
}

function readBeginning(
  path: string,
  folder: string,
  { maxBytes, end }: { readonly maxBytes: number; readonly end?: string },
): Buffer {
  try {
    const file = openSync(resolve(folder, path), 'r');
    try {
      return readPieces(file, maxBytes, end);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new CliError(messageOf(cause).replace(/^\w+: /, ''), { code: 'E970', place: path, cause });
  }
}

function readPieces(file: number, maxBytes: number, end: string | undefined): Buffer {
  const pieces: Buffer[] = [];
  for (let left = maxBytes; left > 0;) {
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, left));
    const count = readSync(file, piece);
    if (count === 0) break;
    pieces.push(piece.subarray(0, count));
    left -= count;
    if (end !== undefined && piece.includes(end)) break;
  }
  return Buffer.concat(pieces);
}

/** Yields the lines of a stream, such as standard input, as they arrive. @throws CliError E970 for a line that is too long */
export async function* readLines(stream: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  let chars = 0;
  for await (const piece of stream) {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) {
        yield removeReturn(rest.join(''));
        [rest, chars] = [[], 0];
      }
      rest.push(part);
      chars += part.length;
      if (chars > MAX_INPUT_BYTES) throw createSizeError('standard input', MAX_INPUT_BYTES);
    }
  }
  const last = rest.join('') + decoder.decode();
  if (last !== '') yield removeReturn(last);
}

function removeReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Reads standard input. @throws CliError E970 */
async function readInput(): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stdin as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_INPUT_BYTES) throw createSizeError('standard input', MAX_INPUT_BYTES);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function createSizeError(place: string, maxBytes: number): CliError {
  const remedy = 'Name a smaller one.';
  return new CliError(`it has more than ${String(maxBytes)} bytes`, { code: 'E970', place, remedy });
}

/** Reads an argument: the argument itself, the contents of `@file`, or standard input for `-`. @throws CliError E970 */
export async function readArgument(argument: string, folder: string): Promise<string> {
  if (argument === '-') return readInput();
  return argument.startsWith('@') ? readInputFile(argument.slice(1), folder) : argument;
}

/** Parses JSON; an error names the line and column. @param place the source of the text, for the error @throws CliError E967 */
export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const message = messageOf(cause);
    throw new CliError(`${message.replace(/ \(line.*\)$| in JSON at position.*$/, '')}, at ${formatPlace(text)}`, {
      code: 'E967',
      place,
      cause,
    });
  }
}

function formatPlace(text: string): string {
  const before = text.slice(0, findFault(text)).split('\n');
  return `line ${String(before.length)}, column ${String((before.at(-1)?.length ?? 0) + 1)}`;
}

/** Finds the offset of the first wrong character, because V8 does not report it for every error. */
function findFault(text: string): number {
  let [good, bad] = [0, text.length];
  while (good < bad) {
    const middle = (good + bad + 1) >> 1;
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle - 1;
  }
  return good;
}

/** Checks whether a text is the beginning of valid JSON, that is, it only ends too early. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = messageOf(error);
    const position = /position (\d+)/.exec(message)?.[1];
    return /end of JSON|Unterminated/.test(message) || position === String(text.length);
  }
}

export function formatPath(path: string, folder: string): string {
  return relative(folder, path) || path;
}

/** Splits `path#export`. File names may contain `#` themselves. */
export function splitAppPath(given: string, folder: string): { readonly path: string; readonly name?: string } {
  const at = given.lastIndexOf('#');
  if (at < 0 || existsSync(resolve(folder, given))) return { path: given };
  return { path: given.slice(0, at), name: given.slice(at + 1) };
}
