import type { LogEntry, SentDigest } from '../../interface/RunStore.js';
import type { ToolCall } from '../../value/ToolCall.js';

type Rest = Readonly<Record<string, unknown>>;
/** An entry as a list: its kind in one letter, what each has, and an object with what else this one has. */
type ShortEntry = readonly [tag: string, ...values: unknown[]];

const DIGEST = /^[0-9a-f]{16}$/;

/**
 * Writes an entry without what its kind says anyway: names of fields, roles, and what is nearly always the same. An entry that
 * would not come back exactly, in the same order, stays as it is.
 */
export function shortEntry(entry: LogEntry): unknown {
  const json = JSON.stringify(entry);
  try {
    const short = shortened(entry);
    if (short !== undefined && JSON.stringify(wholeEntry(short)) === json) return short;
  } catch {
    // What a store is given by others need not have the fields of its kind.
  }
  return entry;
}

/** Reads an entry in either form; undefined for a list that no version has written. */
export function wholeEntry(stored: unknown): LogEntry | undefined {
  if (!Array.isArray(stored)) return stored as LogEntry;
  const [tag, ...all] = stored as unknown as ShortEntry;
  const last: unknown = all.at(-1);
  const hasRest = typeof last === 'object' && last !== null && !Array.isArray(last);
  const values = hasRest ? all.slice(0, -1) : all;
  return whole(tag, values, hasRest ? withDigest(last as Rest) : {}) as LogEntry | undefined;
}

function whole(tag: string, values: readonly unknown[], rest: Rest): object | undefined {
  const [first, second, third, fourth] = values;
  switch (tag) {
    case 'r':
      return {
        kind: 'run',
        run: first,
        messages: values.slice(1).map((content) => ({ role: 'user', content })),
        ...rest,
      };
    case 'a': {
      const toolCalls = callsIn(third);
      const finishReason = toolCalls.length === 0 ? 'stop' : 'tool_calls';
      return { kind: 'answer', turn: first, text: second, toolCalls, finishReason, ...rest };
    }
    case 'b':
      return { kind: 'begun', call: first, name: second };
    case 'o': {
      const message = { role: 'tool', toolCallId: third, name: second, content: fourth, failed: false };
      return { kind: 'outcome', call: first, name: second, outcome: 'succeeded', message, ...rest };
    }
    case 'e':
      return { kind: 'end', run: first, how: 'answered', messages: [], ...rest };
    default:
      return undefined;
  }
}

function shortened(entry: LogEntry): ShortEntry | undefined {
  switch (entry.kind) {
    case 'run': {
      const { kind: _kind, run, messages, ...rest } = entry;
      return listOf('r', [run, ...messages.map(({ content }) => content)], rest);
    }
    case 'answer': {
      const { kind: _kind, turn, text, toolCalls, finishReason, ...rest } = entry;
      const calls = toolCalls.map(({ id, name, arguments: given }) => [id, name, given]);
      const isUsual = finishReason === (calls.length === 0 ? 'stop' : 'tool_calls');
      return listOf('a', [turn, text, ...(calls.length === 0 ? [] : [calls])], {
        ...(isUsual ? {} : { finishReason }),
        ...withShortDigest(rest),
      });
    }
    case 'begun':
      return listOf('b', [entry.call, entry.name], {});
    case 'outcome': {
      const { kind: _kind, call, name, outcome: _outcome, message, ...rest } = entry;
      return listOf('o', [call, name, message.toolCallId, message.content], rest);
    }
    case 'end': {
      const { kind: _kind, run, how, messages, ...rest } = entry;
      const isUsual = how === 'answered' && messages.length === 0;
      return listOf('e', [run], { ...(isUsual ? {} : { how, messages }), ...rest });
    }
    default:
      return undefined;
  }
}

/** Undefined if a value is missing, which JSON would have as null. */
function listOf(tag: string, values: readonly unknown[], rest: Rest): ShortEntry | undefined {
  if (values.flat(2).includes(undefined)) return undefined;
  return Object.values(rest).some((value) => value !== undefined) ? [tag, ...values, rest] : [tag, ...values];
}

function callsIn(calls: unknown): readonly Partial<ToolCall>[] {
  if (!Array.isArray(calls)) return [];
  return (calls as readonly (readonly unknown[])[]).map(
    ([id, name, given]) => ({ id, name, arguments: given }) as Partial<ToolCall>,
  );
}

/** The digest of messages alone, as a text: it is in nearly every answer. */
function withShortDigest({ sent, ...rest }: Rest & { readonly sent?: SentDigest | undefined }): Rest {
  if (sent === undefined) return rest;
  const { messages, count, ...others } = sent;
  const isShort = DIGEST.test(messages) && Object.keys(others).length === 0;
  return isShort
    ? { ...rest, s: `${Buffer.from(messages, 'hex').toString('base64url')} ${String(count)}` }
    : { ...rest, sent };
}

function withDigest({ s: digest, ...rest }: Rest): Rest {
  if (typeof digest !== 'string') return rest;
  const [messages = '', count] = digest.split(' ');
  return { ...rest, sent: { messages: Buffer.from(messages, 'base64url').toString('hex'), count: Number(count) } };
}
