import type { Program } from 'acorn';
import type { ProgramFault } from '../ExecutionResult.js';
import { placeAt, type ProgramPlace } from '../faultAt.js';
import { lastExpression } from './lastValue.js';
import type { Parsers } from './parsers.js';
import { parseScript } from './parseScript.js';
import { forbiddenIn, forbiddenInTypes } from './refused.js';
import { sourcePlace, type SourceMap } from './sourcePlace.js';
import { stripTypes } from './stripTypes.js';
import { fenceFault, refusal, unreadable, type ParserDiagnostic } from './syntaxFault.js';

/** A program as it runs, with what is needed to find places of the source again; it can be sent to another thread. */
export interface ReadProgram {
  readonly body: string;
  /** Where `RETURN` was put in; null where the program ends with no expression. */
  readonly returned: ProgramPlace | null;
  /** From the text before that to the source; null where the source has no types. */
  readonly map: SourceMap | null;
}

/** What reading gives: the program, or the fault for which nothing of it runs. */
export type ReadOutcome =
  { readonly ok: true; readonly read: ReadProgram } | { readonly ok: false; readonly fault: ProgramFault };

/** What is put before the expression with which a program ends. */
export const RETURN = 'return ';

/**
 * Reads a program: its syntax, what no program may hold, its types away, its last expression returned. A program without types
 * stays as it is otherwise, so that its columns are true (docs/contract.md, 22).
 */
export function readProgram(source: string, parsers: Parsers): ReadOutcome {
  const fenced = fenceFault(source);
  if (fenced !== undefined) return { ok: false, fault: fenced };
  const parsed = parseScript(source, parsers);
  if (!parsed.ok) return readTypes(source, { place: placeAt(source, parsed.at), complaint: parsed.complaint }, parsers);
  const forbidden = forbiddenIn(parsed.program, source);
  if (forbidden !== undefined) return { ok: false, fault: refusal(source, forbidden) };
  return { ok: true, read: finished(parsed.program, source, null, parsers) };
}

/** @param asScript what is wrong with the source when its types are taken for mistakes */
function readTypes(source: string, asScript: ParserDiagnostic, parsers: Parsers): ReadOutcome {
  const stripped = stripTypes(source, parsers);
  if (!stripped.ok) {
    // The parser that came further understood more; where both stopped at one place, acorn's words are the better ones.
    const complaint = isBehind(stripped.place, asScript.place) ? stripped : asScript;
    return { ok: false, fault: unreadable(source, complaint, parsers) };
  }
  const { text, map } = stripped;
  const hidden = forbiddenInTypes(source, parsers);
  if (hidden !== undefined) return { ok: false, fault: refusal(source, hidden) };
  const parsed = parseScript(text, parsers);
  if (!parsed.ok) {
    const place = sourcePlace(map, placeAt(text, parsed.at));
    return { ok: false, fault: unreadable(source, { place, complaint: parsed.complaint }, parsers) };
  }
  const forbidden = forbiddenIn(parsed.program, text);
  if (forbidden !== undefined) {
    return { ok: false, fault: refusal(source, { ...forbidden, place: sourcePlace(map, forbidden.place) }) };
  }
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
