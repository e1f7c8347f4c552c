import { findDifference } from '../common/excerpts.js';
import { type Fields, isRecord } from '../common/guards.js';
import { createPlacedError, type ToolwrightError } from '../error/ToolwrightError.js';
import type { ModelRequest, SentRequest } from '../interface/ModelAdapter.js';
import { toNeutralForm } from './ScriptedModel.js';

/** The marks of caches, which move from request to request. */
const MARKS: ReadonlySet<string> = new Set(['cache_control', 'cacheControl']);
const SHOWN = 60;

/** The result of `expectStablePrefix`. */
export interface PrefixReport {
  readonly requests: number;
  /** Bytes of the last request's tools, system and messages. */
  readonly bytes: number;
}

/**
 * Checks that each request of a conversation begins with the previous one: the same tools, the same system text and the
 * same messages, without regard to cache marks (docs/contract.md, 17).
 *
 * @param requests the requests of one conversation, in order: `ScriptedModel.requests`, the requests that `onSent`
 * received, or HTTP bodies sent to the API of Anthropic or OpenAI
 * @throws ToolwrightError E733 with the first changed or missing entry
 * @example
 * expectStablePrefix(adapter.requests);
 */
export function expectStablePrefix(requests: readonly (ModelRequest | SentRequest | object)[]): PrefixReport {
  let before: PrefixEntries = { tools: [], system: [], messages: [] };
  for (const [index, request] of requests.entries()) {
    const now = listPrefixEntries(request);
    for (const part of PARTS) compare(index, before[part], now[part], part);
    before = now;
  }
  const bytes = PARTS.flatMap((part) => before[part]).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { requests: requests.length, bytes };
}

const PARTS = ['tools', 'system', 'messages'] as const;
type Part = (typeof PARTS)[number];
type PrefixEntries = Readonly<Record<Part, readonly string[]>>;

function compare(index: number, before: readonly string[], now: readonly string[], part: Part): void {
  // Only messages may be appended. The first request has no predecessor.
  const count = part === 'messages' || index === 0 ? before.length : Math.max(before.length, now.length);
  for (let place = 0; place < count; place++) {
    const [was, is] = [before[place], now[place]];
    if (was !== is) throw createChangedError(index, `${part}[${String(place)}]`, was, is);
  }
}

function listPrefixEntries(request: object): PrefixEntries {
  const { tools, system, messages } = isNeutral(request) ? toNeutralForm(request) : readBody(request as Fields);
  const write = (entry: unknown): string => JSON.stringify(removeMarks(entry));
  return { tools: tools.map(write), system: system.map(write), messages: messages.map(write) };
}

function isNeutral(request: object): request is ModelRequest {
  return 'toolSchemas' in request;
}

function readBody(body: Fields): Pick<SentRequest, Part> {
  return {
    tools: readList(body['tools']),
    system: readList(body['system'] ?? body['instructions']),
    messages: readList(body['messages'] ?? body['input'] ?? body['prompt']),
  };
}

function readList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function removeMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeMarks);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !MARKS.has(key));
  return Object.fromEntries(kept.map(([key, entry]) => [key, removeMarks(entry)]));
}

function createChangedError(index: number, place: string, was = '(nothing)', is = '(nothing)'): ToolwrightError {
  const at = findDifference(was, is);
  const shown = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - SHOWN / 2), at + SHOWN));
  return createPlacedError(
    `differs in request ${String(index + 1)} from request ${String(index)} at character ${String(at)}\n  before: ${shown(was)}\n  now:    ${shown(is)}`,
    { code: 'E733', place },
  );
}
