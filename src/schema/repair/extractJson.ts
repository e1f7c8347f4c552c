import { MAX_EXTENT } from '../../common/limits.js';
import { messageOf, ensureWellFormedJson } from '../../common/text.js';
import type { ParseOutcome } from '../../metadata/ClassShape.js';
import { findValueEnd, findTextExcess } from '../parse/jsonExtent.js';
import { findSizeIssue, refuseWith, tooWide } from '../limits.js';

// Only at the beginning of a line: a JSON string cannot span lines, so a fence within a string does not match.
const FENCE = /(?:^|\n)[^\S\n]*```json\b/i;
const FENCE_END = /\n[^\S\n]*```/;

/** The beginning of a JSON object or array; stricter than a bracket, since prose also has brackets. */
const BEGINNING = /\{\s*["}]|\[\s*(?:["[\]{\d-]|true|false|null)/g;

/**
 * Finds the JSON in the answer of a model: in the first fence marked `json`, else the whole text, else the first object or array
 * in it (docs/contract.md, 14). Takes time linear in the length of any text.
 */
export function extractJson(text: string): ParseOutcome {
  const tooLarge = findSizeIssue(text);
  if (tooLarge !== undefined) return refuseWith(tooLarge);
  // Trimming also removes a byte order mark.
  const source = ensureWellFormedJson(readFence(text) ?? text).trim();
  if (source === '') return refuseText('expected JSON, got an empty text');
  // Prose also has commas.
  if (/^[[{]/.test(source) && isTooWide(source)) return refuseWith(tooWide);
  try {
    return { ok: true, value: JSON.parse(source) as unknown };
  } catch (error) {
    const problem = `expected JSON; it is malformed: ${messageOf(error).slice(0, 200)}`;
    return findFirstValue(source) ?? refuseText(problem);
  }
}

/** Returns the content of the first fence; up to the end of the text if the fence is not closed. */
function readFence(text: string): string | undefined {
  const opening = FENCE.exec(text);
  if (opening === null) return undefined;
  const inside = text.slice(opening.index + opening[0].length);
  return inside.slice(0, FENCE_END.exec(inside)?.index);
}

/** Finds the first outermost value: a value inside one that is malformed or cut off is only part of the answer. */
function findFirstValue(text: string): ParseOutcome | undefined {
  const beginnings = new RegExp(BEGINNING);
  for (let begin = beginnings.exec(text); begin !== null; begin = beginnings.exec(text)) {
    const end = findValueEnd(text, begin.index);
    if (end === undefined) return undefined;
    const part = text.slice(begin.index, end);
    if (isTooWide(part)) return refuseWith(tooWide);
    try {
      return { ok: true, value: JSON.parse(part) as unknown };
    } catch {
      beginnings.lastIndex = end;
    }
  }
  return undefined;
}

/** Ignores depth, since the reader of the value checks it and knows the path. */
function isTooWide(json: string): boolean {
  return findTextExcess(json, MAX_EXTENT) === 'values';
}

function refuseText(message: string): ParseOutcome {
  return refuseWith({ kind: 'type', path: '', message });
}
