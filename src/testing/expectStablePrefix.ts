import { type Fields, isRecord } from '../common/guards.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
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
  let before: readonly Entry[] = [];
  for (const [index, request] of requests.entries()) {
    const now = listPrefixEntries(request);
    for (const part of ['tools', 'system', 'messages'] as const)
      compare(index, selectPart(before, part), selectPart(now, part), part);
    before = now;
  }
  return { requests: requests.length, bytes: before.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) };
}

interface Entry {
  readonly part: 'tools' | 'system' | 'messages';
  readonly text: string;
}

function selectPart(entries: readonly Entry[], part: Entry['part']): readonly string[] {
  return entries.flatMap((entry) => (entry.part === part ? [entry.text] : []));
}

function compare(index: number, before: readonly string[], now: readonly string[], part: Entry['part']): void {
  // Only messages may be appended. The first request has no predecessor.
  const count = part === 'messages' || index === 0 ? before.length : Math.max(before.length, now.length);
  for (let place = 0; place < count; place++) {
    const [was, is] = [before[place], now[place]];
    if (was !== is) throw createChangedError(index, `${part}[${String(place)}]`, was, is);
  }
}

function listPrefixEntries(request: object): readonly Entry[] {
  const { tools, system, messages } = isNeutral(request) ? toNeutralForm(request) : readBody(request as Fields);
  const written = (part: Entry['part'], list: readonly unknown[]): readonly Entry[] =>
    list.map((entry) => ({ part, text: JSON.stringify(removeMarks(entry)) }));
  return [...written('tools', tools), ...written('system', system), ...written('messages', messages)];
}

function isNeutral(request: object): request is ModelRequest {
  return 'toolSchemas' in request;
}

function readBody(body: Fields): Pick<SentRequest, 'tools' | 'system' | 'messages'> {
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
  let at = 0;
  while (at < was.length && was[at] === is[at]) at++;
  const shown = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - SHOWN / 2), at + SHOWN));
  return new ToolwrightError(
    `Request ${String(index + 1)} does not begin with request ${String(index)}: ${place} differs from character ${String(at)} on.\n  before: ${shown(was)}\n  now:    ${shown(is)}`,
    { code: 'E733', place },
  );
}
