import type { ProgramErrorKind, ProgramFault } from './ExecutionResult.js';

/** A place in a program as the model wrote it; both count from 1. */
export interface ProgramPlace {
  readonly line: number;
  readonly column: number;
}

const SNIPPET = 120;

/** Creates a fault of a program, with the text of its line. */
export function faultAt(
  source: string,
  place: ProgramPlace | null,
  fault: {
    readonly kind: ProgramErrorKind;
    readonly name: string;
    readonly message: string;
    readonly hint: string | null;
  },
): ProgramFault {
  const { kind, name, message, hint } = fault;
  const { line = null, column = null } = place ?? {};
  return { kind, name, message, line, column, snippet: place === null ? null : snippetAt(source, place), hint };
}

/** The place of an offset, counted from 0, in a text. */
export function placeAt(source: string, offset: number): ProgramPlace {
  const before = linesOf(source.slice(0, offset));
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** The lines of a program, as JavaScript counts them. */
export function linesOf(source: string): readonly string[] {
  return source.split(/\r\n|[\n\r\u2028\u2029]/);
}

function snippetAt(source: string, { line, column }: ProgramPlace): string | null {
  const text = linesOf(source)[line - 1];
  if (text === undefined) return null;
  const trimmed = text.trim();
  if (trimmed.length <= SNIPPET) return trimmed;
  const start = Math.max(0, Math.min(column - 1 - SNIPPET / 2, text.length - SNIPPET));
  return `…${text.slice(start, start + SNIPPET)}…`;
}
