import { isObject } from '../../common/guards.js';
import { cut } from '../../common/text.js';
import { measureJson } from '../../common/measureJson.js';
import { MIN_SHOWN_CHARS } from '../../common/limits.js';
import type { WrittenValue } from '../../schema/write/createSerialiser.js';

/** Where nothing ends early. */
const NONE: WrittenValue['ended'] = new Map();
/** An entry gets at most this fraction (1/8) of the remaining room. */
const SHARES = 8;

/** Shortens a text to a limit, and states its full length. */
export function shortenText(text: string, limit: number): string {
  return text.length <= limit ? text : `${cut(text, limit)}\n\n${writeNotice(text.length)}`;
}

/** Shortens JSON to a limit and keeps it valid: cuts long strings, ends lists and objects early, and marks each cut. */
export function shortenJson(json: string, limit: number): string {
  return json.length <= limit ? json : `${shortenAny(JSON.parse(json), limit, NONE)}\n\n${writeNotice(json.length)}`;
}

/** Shortens plain data that is longer than the limit, without serialising all of it. */
export function shortenValue(plain: unknown, limit: number): string {
  return `${shortenAny(plain, limit, NONE)}\n\n${writeNotice(measureJson(plain))}`;
}

/** Writes plain data as JSON within a limit, like `shortenJson`, without serialising the part above it. */
export function shortenPlain({ plain, left, isWhole, ended }: Omit<WrittenValue, 'isSmall'>, limit: number): string {
  const length = measureJson(plain) + left;
  if (length <= limit && isWhole) return JSON.stringify(plain);
  return `${shortenAny(plain, limit, ended)}\n\n${writeNotice(length, isWhole ? '' : 'more than ')}`;
}

function writeNotice(length: number, atLeast = ''): string {
  return `[Shortened: ${atLeast}${String(length)} characters in all. Ask for less at a time to see the rest.]`;
}

function shortenAny(value: unknown, room: number, ended: WrittenValue['ended']): string {
  if (typeof value === 'string') return shortenString(value, room);
  if (measureJson(value, room) <= room) return JSON.stringify(value);
  if (!isObject(value)) return JSON.stringify(value);
  // The last entry counts the missing ones.
  const missing = (ended.get(value) ?? 1) - 1;
  if (Array.isArray(value)) {
    const { texts, left } = writeEntries(value.length, room, (index, share) => shortenAny(value[index], share, ended));
    return `[${[...texts, ...(left === 0 ? [] : [JSON.stringify(`… ${String(left + missing)} more items`)])].join(',')}]`;
  }
  const members = Object.entries(value);
  const { texts, left } = writeEntries(members.length, room, (index, share) => {
    const [key, member] = members[index] as [string, unknown];
    const name = shortenString(key, share);
    return `${name}:${shortenAny(member, share - name.length - 1, ended)}`;
  });
  return `{${[...texts, ...(left === 0 ? [] : [`"…":"${String(left + missing)} more keys"`])].join(',')}}`;
}

/** Writes as many entries as fit; the first ones get the most room. */
function writeEntries(
  count: number,
  room: number,
  write: (index: number, share: number) => string,
): { readonly texts: readonly string[]; readonly left: number } {
  const texts: string[] = [];
  let rest = room - MIN_SHOWN_CHARS;
  while (texts.length < count && rest >= MIN_SHOWN_CHARS) {
    const share = Math.max(Math.floor(rest / Math.min(count - texts.length, SHARES)), MIN_SHOWN_CHARS);
    const text = write(texts.length, share);
    texts.push(text);
    rest -= text.length + 1;
  }
  return { texts, left: count - texts.length };
}

function shortenString(text: string, room: number): string {
  const whole = text.length <= room ? JSON.stringify(text) : undefined;
  if (whole !== undefined && whole.length <= room) return whole;
  // Escapes may double the length, or more.
  for (let length = Math.max(room - MIN_SHOWN_CHARS, 8); ; length = Math.floor(length / 2)) {
    const json = JSON.stringify(`${cut(text, length)}… (${String(text.length)} characters)`);
    if (json.length <= Math.max(room, MIN_SHOWN_CHARS) || length <= 8) return json;
  }
}
