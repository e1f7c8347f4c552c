import { cut } from '../common/text.js';
import { jsonLength } from '../common/jsonLength.js';

/** The fewest characters that are worth showing of one entry. */
const LEAST = 40;
/** An entry takes at most the n-th part of the room that is left. */
const SHARES = 8;

/** Shortens a text to a limit, and says how long it was. */
export function shortenText(text: string, limit: number): string {
  return text.length <= limit ? text : `${cut(text, limit)}\n\n${notice(text.length)}`;
}

/** Shortens JSON to a limit so that it stays JSON: long strings are cut, lists and objects end early, and each says so. */
export function shortenJson(json: string, limit: number): string {
  return json.length <= limit ? json : `${shortened(JSON.parse(json), limit)}\n\n${notice(json.length)}`;
}

/**
 * Writes plain data as JSON within a limit, as `shortenJson` does, without writing what is over it.
 *
 * @param left characters that the value has besides
 */
export function shortenPlain(plain: unknown, limit: number, left: number): string {
  const length = jsonLength(plain) + left;
  return length <= limit ? JSON.stringify(plain) : `${shortened(plain, limit)}\n\n${notice(length)}`;
}

function notice(length: number): string {
  return `[Shortened: ${String(length)} characters in all. Ask for less at a time to see the rest.]`;
}

function shortened(value: unknown, room: number): string {
  if (typeof value === 'string') return shortenedString(value, room);
  if (jsonLength(value, room) <= room) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const { texts, left } = entries(value.length, room, (index, share) => shortened(value[index], share));
    return `[${[...texts, ...(left === 0 ? [] : [JSON.stringify(`… ${String(left)} more items`)])].join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    const { texts, left } = entries(members.length, room, (index, share) => {
      const [key, member] = members[index] as [string, unknown];
      const name = shortenedString(key, share);
      return `${name}:${shortened(member, share - name.length - 1)}`;
    });
    return `{${[...texts, ...(left === 0 ? [] : [`"…":"${String(left)} more keys"`])].join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Writes as many entries as there is room for, the first ones with the most. */
function entries(
  count: number,
  room: number,
  write: (index: number, share: number) => string,
): { readonly texts: readonly string[]; readonly left: number } {
  const texts: string[] = [];
  let rest = room - LEAST;
  while (texts.length < count && rest >= LEAST) {
    const share = Math.max(Math.floor(rest / Math.min(count - texts.length, SHARES)), LEAST);
    const text = write(texts.length, share);
    texts.push(text);
    rest -= text.length + 1;
  }
  return { texts, left: count - texts.length };
}

function shortenedString(text: string, room: number): string {
  const whole = text.length <= room ? JSON.stringify(text) : undefined;
  if (whole !== undefined && whole.length <= room) return whole;
  // Escapes may double the length, or worse.
  for (let length = Math.max(room - LEAST, 8); ; length = Math.floor(length / 2)) {
    const json = JSON.stringify(`${cut(text, length)}… (${String(text.length)} characters)`);
    if (json.length <= Math.max(room, LEAST) || length <= 8) return json;
  }
}
