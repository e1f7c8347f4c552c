import type { ProgramFault } from '../ExecutionResult.js';
import { createFault, splitLines, findPlace, type ProgramPlace } from '../createFault.js';
import { quote } from 'toolwright/internal/light';
import type { Parsers } from './createParsers.js';
import { scriptOptions } from './parseScript.js';
import type { ForbiddenPlace, Forbidden } from './findForbidden.js';

/** A syntax error, with the message of the parser. */
export interface ParserDiagnostic {
  readonly place: ProgramPlace;
  readonly diagnostic: string;
}

const FENCE = /^\s*(?:`{3}|~{3})/;

const refusals: Readonly<Record<Forbidden, { readonly message: string; readonly hint: string }>> = {
  import: {
    message: 'A program imports and exports nothing',
    hint: 'Remove it: the tools and the built-ins of JavaScript are there already. End the program with return and its value.',
  },
  namespace: {
    message: 'A program declares no namespaces and no modules',
    hint: 'Write plain functions, objects and types instead.',
  },
};

/** Creates the fault of a program with a forbidden construct. */
export function createRefusal(source: string, { what, place }: ForbiddenPlace): ProgramFault {
  return createFault(source, place, { kind: 'refused', name: 'ProgramRefused', ...refusals[what] });
}

/** Creates the fault of a program that begins with a Markdown fence; undefined if it does not. */
export function createFenceFault(source: string): ProgramFault | undefined {
  if (!FENCE.test(source)) return undefined;
  const line = splitLines(source).findIndex((text) => text.trim() !== '') + 1;
  return createSyntaxFault(source, { line, column: 1 }, 'The program begins with a Markdown fence', [
    'Send the code without the fence around it.',
  ]);
}

/** Creates the fault of a program that is not valid TypeScript. */
export function createUnreadableFault(
  source: string,
  { place, diagnostic }: ParserDiagnostic,
  parsers: Parsers,
): ProgramFault {
  const rest = splitLines(source).slice(place.line - 1);
  const line = rest[0] ?? '';
  const after = [line.slice(place.column - 1), ...rest.slice(1)].join('\n').trim();
  if (after === '' && /^(?:Unexpected token|Unterminated (?:template|comment))/.test(diagnostic)) {
    return createEndFault(source, place, parsers);
  }
  const found = /^(?:[\w$]+|.)/u.exec(after)?.[0] ?? '';
  const message = diagnostic.startsWith('Unexpected token') ? `Unexpected ${quote(found)}` : diagnostic;
  return createSyntaxFault(source, place, message, hintsFor(line, line.slice(0, place.column - 1), diagnostic));
}

function createEndFault(source: string, place: ProgramPlace, parsers: Parsers): ProgramFault {
  const open = findOpenBracket(source, parsers);
  const at = open === undefined ? undefined : findPlace(source, open.start);
  const hint =
    open === undefined || at === undefined
      ? 'Write the program to its end.'
      : `Close the ${quote(open.text)} of line ${String(at.line)}, column ${String(at.column)}.`;
  return createSyntaxFault(source, place, 'The program ends before it is complete', [hint]);
}

/** Finds the innermost bracket that is never closed. */
function findOpenBracket(
  source: string,
  { Strict }: Parsers,
): { readonly text: string; readonly start: number } | undefined {
  const open: { readonly text: string; readonly start: number }[] = [];
  try {
    for (const { start, end } of Strict.tokenizer(source, scriptOptions)) {
      const text = source.slice(start, end);
      if (/^(?:[([{`]|\$\{)$/.test(text) && !(text === '`' && open.at(-1)?.text === '`')) open.push({ text, start });
      else if (/^[)\]}`]$/.test(text)) open.pop();
    }
  } catch {
    // The tokenizer failed; the brackets open before that place explain the fault.
  }
  return open.at(-1);
}

/** Hints for common mistakes, recognised by the line, the text before the place, or the parser's message. */
const mistakes: readonly {
  readonly looks: RegExp;
  readonly where: 'line' | 'before' | 'diagnostic';
  readonly hint: string;
}[] = [
  {
    where: 'line',
    looks: /^\s*(?:def\s+\w+\s*\(|elif\b|except\b.*:|(?:if|for|while|try|else)\b[^{]*:\s*$|from\s+\w+\s+import\b)/,
    hint: 'This is Python; write TypeScript.',
  },
  { where: 'line', looks: /^\s*#/, hint: 'A comment begins with //.' },
  { where: 'before', looks: /\bawait\s+$/, hint: 'Make the function around this await async.' },
  { where: 'diagnostic', looks: /await/, hint: 'Make the function around this await async.' },
  {
    where: 'line',
    looks: /^\s*\{\s*(?:\w+|"[^"]*"|'[^']*')\s*:.*,/,
    hint: 'An object at the end is read as a block; write return { … }.',
  },
  { where: 'before', looks: /(?:^|[^\w$])f$/, hint: 'A text with values in it is written `like ${this}`.' },
  { where: 'diagnostic', looks: /already been declared/, hint: 'Give one of them another name.' },
  { where: 'diagnostic', looks: /string constant/, hint: 'A text over several lines is written in backquotes.' },
  { where: 'diagnostic', looks: /nested/, hint: 'Write it flatter, with variables and functions.' },
];

function hintsFor(line: string, before: string, diagnostic: string): readonly string[] {
  const texts = { line, before, diagnostic };
  return mistakes.filter(({ looks, where }) => looks.test(texts[where])).map(({ hint }) => hint);
}

function createSyntaxFault(
  source: string,
  place: ProgramPlace,
  message: string,
  hints: readonly string[],
): ProgramFault {
  return createFault(source, place, { kind: 'syntax', name: 'SyntaxError', message, hint: hints[0] ?? null });
}
