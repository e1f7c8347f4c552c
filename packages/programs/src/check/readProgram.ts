import type { Program } from 'acorn';
import type { ProgramFault } from '../ExecutionResult.js';
import { placeAt, type ProgramPlace } from '../faultAt.js';
import { lastExpression } from './lastValue.js';
import type { Parsers } from './parsers.js';
import { parseScript } from './parseScript.js';
import { forbiddenIn, forbiddenInTypes } from './refused.js';
import { sourcePlace, type SourceMap } from './sourcePlace.js';
import { stripTypes } from './stripTypes.js';
import { tooDeep, tooDeepIn } from './tooDeep.js';
import { fenceFault, refusal, unreadable, type ParserDiagnostic } from './syntaxFault.js';

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
  const fenced = fenceFault(source);
  if (fenced !== undefined) return { ok: false, fault: fenced };
  const parsed = parseScript(source, parsers);
  if (!parsed.ok)
    return readTypes(source, { place: placeAt(source, parsed.at), diagnostic: parsed.diagnostic }, parsers);
  const forbidden = forbiddenIn(parsed.program, source);
  if (forbidden !== undefined) return { ok: false, fault: refusal(source, forbidden) };
  const deep = tooDeepIn(parsed.program, source);
  if (deep !== undefined) return { ok: false, fault: tooDeep(source, deep) };
  return { ok: true, read: finished(parsed.program, source, null, parsers) };
}

/** @param asScript the error of parsing the source as JavaScript */
function readTypes(source: string, asScript: ParserDiagnostic, parsers: Parsers): ReadOutcome {
  const stripped = stripTypes(source, parsers);
  if (!stripped.ok) {
    // The parser that got further understood more; if both stopped at the same place, acorn's message is better.
    const diagnostic = isBehind(stripped.place, asScript.place) ? stripped : asScript;
    return { ok: false, fault: unreadable(source, diagnostic, parsers) };
  }
  const { text, map } = stripped;
  const hidden = forbiddenInTypes(source, parsers);
  if (hidden !== undefined) return { ok: false, fault: refusal(source, hidden) };
  const parsed = parseScript(text, parsers);
  if (!parsed.ok) {
    const place = sourcePlace(map, placeAt(text, parsed.at));
    return { ok: false, fault: unreadable(source, { place, diagnostic: parsed.diagnostic }, parsers) };
  }
  const forbidden = forbiddenIn(parsed.program, text);
  if (forbidden !== undefined) {
    return { ok: false, fault: refusal(source, { ...forbidden, place: sourcePlace(map, forbidden.place) }) };
  }
  const deep = tooDeepIn(parsed.program, text);
  if (deep !== undefined) return { ok: false, fault: tooDeep(source, sourcePlace(map, deep)) };
  return { ok: true, read: finished(parsed.program, text, map, parsers) };
}

function isBehind(place: ProgramPlace, other: ProgramPlace): boolean {
  return place.line > other.line || (place.line === other.line && place.column > other.column);
}

function finished(program: Program, text: string, map: SourceMap | null, parsers: Parsers): ReadProgram {
  const start = lastExpression(program, text, parsers);
  if (start === undefined) return { body: text, returned: null, map };
  return { body: text.slice(0, start) + RETURN + text.slice(start), returned: placeAt(text, start), map };
}
