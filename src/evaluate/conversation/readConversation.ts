import { describeValue } from '../../common/text.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import type { LogEntry, OpenLog } from '../../interface/RunStore.js';
import { excessOfValue } from '../../schema/jsonExtent.js';
import { MAX_VALUES } from '../../schema/limits.js';
import { EntrySequence } from './EntrySequence.js';

/** A conversation as plain data. */
export interface ConversationJson {
  readonly format: 'toolwright/conversation';
  /** Version of the format; raised when older copies could not read it. */
  readonly version: 1;
  readonly id: string;
  readonly entries: readonly LogEntry[];
}

/** The most values in one entry: ten times what the arguments of a call may hold. */
const MOST_VALUES = 10 * MAX_VALUES;

type Kind =
  'string' | 'number' | 'array' | 'object' | 'boolean' | 'text or null' | 'a message' | 'messages' | 'tool calls';

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);

/** The fields of each kind of entry that everything else relies on. */
const fields: Readonly<Record<LogEntry['kind'], Readonly<Record<string, Kind>>>> = {
  conversation: {
    id: 'string',
    prompt: 'string',
    text: 'string',
    offered: 'array',
    closed: 'array',
    fingerprint: 'string',
    sections: 'object',
  },
  segment: { reason: 'string', messages: 'array', text: 'string', offered: 'array', closed: 'array' },
  model: { adapter: 'string' },
  run: { run: 'string', messages: 'messages' },
  answer: { turn: 'number', text: 'text or null', toolCalls: 'tool calls', finishReason: 'string' },
  begun: { call: 'string', name: 'string' },
  outcome: { call: 'string', name: 'string', outcome: 'string', message: 'a message' },
  verdict: { turn: 'number', complete: 'boolean', feedback: 'string' },
  note: { turn: 'number', about: 'string', message: 'a message' },
  question: { call: 'string', name: 'string', about: 'string', askedAt: 'number' },
  reply: { call: 'string', reply: 'object' },
  end: { run: 'string', how: 'string', messages: 'messages' },
};

/**
 * Reads a conversation from plain data that may come from anywhere.
 *
 * @throws PromptEvaluationError E709 with the place
 */
export function readConversation(json: unknown): ConversationJson {
  const { format, version, id, entries } = (json ?? {}) as Readonly<Record<keyof ConversationJson, unknown>>;
  if (format !== 'toolwright/conversation')
    throw misfit('format', `expected "toolwright/conversation", got ${describeValue(format)}`);
  if (version !== 1) throw misfit('version', `1 is known, got ${describeValue(version)}`);
  if (typeof id !== 'string' || id === '') throw misfit('id', `expected a text, got ${describeValue(id)}`);
  if (!Array.isArray(entries)) throw misfit('entries', `expected a list, got ${describeValue(entries)}`);
  return { format, version, id, entries: readEntries(entries, id) };
}

/**
 * Checks what a store gives of a log that it opened.
 *
 * @param id of the conversation
 * @throws PromptEvaluationError E709 with the place
 */
export function readLog(opened: unknown, id: string): OpenLog {
  const { epoch, entries } = (opened ?? {}) as Readonly<Record<keyof OpenLog, unknown>>;
  if (typeof epoch !== 'number') throw misfit('epoch', `expected a number, got ${describeValue(epoch)}`);
  if (!Array.isArray(entries)) throw misfit('entries', `expected a list, got ${describeValue(entries)}`);
  return { epoch, entries: readEntries(entries, id) };
}

/**
 * Checks the entries of a log, and that none is missing between them.
 *
 * @throws PromptEvaluationError E709 with the place
 */
function readEntries(entries: readonly unknown[], id: string): readonly LogEntry[] {
  const sequence = new EntrySequence();
  for (const [index, entry] of entries.entries()) {
    const place = `entries[${String(index)}]`;
    const { kind, version } = readFields(entry, place);
    if ((index === 0) !== (kind === 'conversation'))
      throw misfit(place, index === 0 ? 'a log begins with an entry "conversation"' : 'a log holds one conversation');
    if (kind === 'conversation' && version !== 1)
      throw misfit(`${place}.version`, `1 is known, got ${describeValue(version)}`);
    if (kind === 'conversation' && (entry as { id: string }).id !== id)
      throw misfit(`${place}.id`, `it is the log of ${describeValue((entry as { id: string }).id)}, not of ${id}`);
    const problem = sequence.next(entry as LogEntry);
    if (problem !== undefined) throw misfit(place, problem);
  }
  return entries as readonly LogEntry[];
}

function readFields(entry: unknown, place: string): { readonly kind: LogEntry['kind']; readonly version: unknown } {
  if (typeof entry !== 'object' || entry === null)
    throw misfit(place, `expected an object, got ${describeValue(entry)}`);
  if (excessOfValue(entry, { values: MOST_VALUES, depth: Infinity }) !== undefined)
    throw misfit(place, `expected at most ${String(MOST_VALUES)} values in one entry, got more`);
  const { kind, ...rest } = entry as Readonly<Record<string, unknown>>;
  const expected =
    typeof kind === 'string' && Object.hasOwn(fields, kind) ? fields[kind as LogEntry['kind']] : undefined;
  if (expected === undefined)
    throw misfit(`${place}.kind`, `expected one of ${Object.keys(fields).join(', ')}, got ${describeValue(kind)}`);
  for (const [name, type] of Object.entries(expected))
    if (!isOf(type, rest[name])) throw misfit(`${place}.${name}`, `expected ${type}, got ${describeValue(rest[name])}`);
  return { kind: kind as LogEntry['kind'], version: rest['version'] };
}

function isOf(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'array':
      return Array.isArray(value);
    case 'messages':
      return Array.isArray(value) && value.every((item) => isOf('a message', item));
    case 'tool calls':
      return Array.isArray(value) && value.every(isToolCall);
    case 'a message':
      return isMessage(value);
    case 'object':
      return isObject(value);
    case 'text or null':
      return typeof value === 'string' || value === null;
    default:
      return typeof value === kind;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The model's own text may be null: it has only called tools then. */
function isMessage(value: unknown): boolean {
  if (!isObject(value) || !ROLES.has(value['role'])) return false;
  const { role, content, toolCalls } = value;
  if (role !== 'assistant') return typeof content === 'string';
  return isOf('text or null', content) && (toolCalls === undefined || isOf('tool calls', toolCalls));
}

function isToolCall(value: unknown): boolean {
  if (!isObject(value) || typeof value['id'] !== 'string' || typeof value['name'] !== 'string') return false;
  const { arguments: given } = value;
  return typeof given === 'string' || given === null || isObject(given);
}

function misfit(place: string, problem: string): PromptEvaluationError {
  return new PromptEvaluationError(`This is no conversation that can go on: ${place}: ${problem}.`, {
    phase: 'request',
    code: 'E709',
    place,
  });
}
