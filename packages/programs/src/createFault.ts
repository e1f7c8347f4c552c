import type { ProgramErrorKind, ProgramFault } from './ExecutionResult.js';

/** A place in a program as the model wrote it; both count from 1. */
export interface ProgramPlace {
  readonly line: number;
  readonly column: number;
}

/** A range of a text: its first character, and the character after its last. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const SNIPPET = 120;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const LINE_SEPARATOR = 0x2028;
const PARAGRAPH_SEPARATOR = 0x2029;

/** Creates a fault of a program, with the text of its line. */
export function createFault(
  source: string,
  place: ProgramPlace | null,
  fault: {
    readonly kind: ProgramErrorKind;
    readonly name: string;
    readonly message: string;
    readonly hint: string | null;
    readonly code?: ProgramFault['code'];
  },
): ProgramFault {
  const { kind, name, message, hint, code } = fault;
  const { line = null, column = null } = place ?? {};
  const snippet = place === null ? null : cutSnippet(source, place);
  return { kind, name, message, line, column, snippet, hint, ...(code === undefined ? {} : { code }) };
}

/** Returns the place of an offset, counted from 0, in a text. */
export function findPlace(source: string, offset: number): ProgramPlace {
  let [line, start] = [1, 0];
  for (let next = findLineEnd(source, 0); next < offset; next = findLineEnd(source, start)) {
    const after = next + measureBreak(source, next);
    if (after > offset || after === next) break;
    line++;
    start = after;
  }
  return { line, column: offset - start + 1 };
}

/** Splits a program into lines, as JavaScript counts them. Copies the whole text, so only the check thread may call it. */
export function splitLines(source: string): readonly string[] {
  return source.split(/\r\n|[\n\r\u2028\u2029]/);
}

/** Returns the range of a line, counted from 1; undefined if the text has fewer lines. Reads each character once. */
export function findLineRange(source: string, line: number): TextRange | undefined {
  let start = 0;
  for (let number = 1; number < line; number++) {
    const end = findLineEnd(source, start);
    if (end === source.length) return undefined;
    start = end + measureBreak(source, end);
  }
  return { start, end: findLineEnd(source, start) };
}

/** Returns the end of the line that begins at `start`, without its break. */
function findLineEnd(source: string, start: number): number {
  for (let end = start; end < source.length; end++) {
    const code = source.charCodeAt(end);
    if (code === LINE_FEED || code === CARRIAGE_RETURN || code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR)
      return end;
  }
  return source.length;
}

/** Returns the length of the line break at an offset; 0 at the end of the text. */
function measureBreak(source: string, at: number): number {
  if (at >= source.length) return 0;
  return source.charCodeAt(at) === CARRIAGE_RETURN && source.charCodeAt(at + 1) === LINE_FEED ? 2 : 1;
}

function cutSnippet(source: string, { line, column }: ProgramPlace): string | null {
  const range = findLineRange(source, line);
  if (range === undefined) return null;
  const text = source.slice(range.start, range.end);
  const trimmed = text.trim();
  if (trimmed.length <= SNIPPET) return trimmed;
  const start = Math.max(0, Math.min(column - 1 - SNIPPET / 2, text.length - SNIPPET));
  return `…${text.slice(start, start + SNIPPET)}…`;
}
