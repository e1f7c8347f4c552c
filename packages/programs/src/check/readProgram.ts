import type { Program } from 'acorn';
import type { ProgramFault } from '../ExecutionResult.js';
import { findPlace, type ProgramPlace } from '../createFault.js';
import { findLastExpression } from './findLastExpression.js';
import type { Parsers } from './createParsers.js';
import { parseScript } from './parseScript.js';
import { findForbidden, findForbiddenTypes } from './findForbidden.js';
import { mapToSource, type SourceMap } from './mapToSource.js';
import { stripTypes } from './stripTypes.js';
import { createDepthFault, findTooDeep } from './createDepthFault.js';
import { createFenceFault, createRefusal, createUnreadableFault, type ParserDiagnostic } from './syntaxFault.js';

/** A program as it runs, with the data that maps its places to the source; it can be posted to another thread. */
export interface ReadProgram {
  readonly body: string;
  /** The place where `RETURN` was inserted; null if the program does not end with an expression. */
  readonly returned: ProgramPlace | null;
  /** Maps the text before that insertion to the source; null if the source has no types. */
  readonly map: SourceMap | null;
}

/** The result of reading: the program, or the fault for which it is refused. */
export type ReadOutcome =
  { readonly ok: true; readonly read: ReadProgram } | { readonly ok: false; readonly fault: ProgramFault };

/** Inserted before the expression with which a program ends. */
export const RETURN = 'return ';

/**
 * Reads a program: checks its syntax, refuses forbidden constructs, strips types, and returns its last expression. A program
 * without types is otherwise unchanged, so that its columns stay correct (docs/contract.md, 24).
 */
export function readProgram(source: string, parsers: Parsers): ReadOutcome {
  const fenced = createFenceFault(source);
  if (fenced !== undefined) return { ok: false, fault: fenced };
  const parsed = parseScript(source, parsers);
  if (!parsed.ok)
    return readTypes(source, { place: findPlace(source, parsed.at), diagnostic: parsed.diagnostic }, parsers);
  const forbidden = findForbidden(parsed.program, source);
  if (forbidden !== undefined) return { ok: false, fault: createRefusal(source, forbidden) };
  const deep = findTooDeep(parsed.program, source);
  if (deep !== undefined) return { ok: false, fault: createDepthFault(source, deep) };
  return { ok: true, read: insertReturn(parsed.program, source, null, parsers) };
}

/** @param asScript the error of parsing the source as JavaScript */
function readTypes(source: string, asScript: ParserDiagnostic, parsers: Parsers): ReadOutcome {
  const stripped = stripTypes(source, parsers);
  if (!stripped.ok) {
    // The parser that got further understood more; if both stopped at the same place, acorn's message is better.
    const diagnostic = isBehind(stripped.place, asScript.place) ? stripped : asScript;
    return { ok: false, fault: createUnreadableFault(source, diagnostic, parsers) };
  }
  const { text, map } = stripped;
  const hidden = findForbiddenTypes(source, parsers);
  if (hidden !== undefined) return { ok: false, fault: createRefusal(source, hidden) };
  const parsed = parseScript(text, parsers);
  if (!parsed.ok) {
    const place = mapToSource(map, findPlace(text, parsed.at));
    return { ok: false, fault: createUnreadableFault(source, { place, diagnostic: parsed.diagnostic }, parsers) };
  }
  const forbidden = findForbidden(parsed.program, text);
  if (forbidden !== undefined) {
    return { ok: false, fault: createRefusal(source, { ...forbidden, place: mapToSource(map, forbidden.place) }) };
  }
  const deep = findTooDeep(parsed.program, text);
  if (deep !== undefined) return { ok: false, fault: createDepthFault(source, mapToSource(map, deep)) };
  return { ok: true, read: insertReturn(parsed.program, text, map, parsers) };
}

function isBehind(place: ProgramPlace, other: ProgramPlace): boolean {
  return place.line > other.line || (place.line === other.line && place.column > other.column);
}

function insertReturn(program: Program, text: string, map: SourceMap | null, parsers: Parsers): ReadProgram {
  const start = findLastExpression(program, text, parsers);
  if (start === undefined) return { body: text, returned: null, map };
  return { body: text.slice(0, start) + RETURN + text.slice(start), returned: findPlace(text, start), map };
}
