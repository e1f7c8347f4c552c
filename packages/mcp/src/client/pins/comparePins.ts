import { isObject } from 'toolwright/internal/light';
import { MAX_DIFFERENCE_LINES, MAX_DIFFERENCE_VALUE_CHARS } from '../../limits.js';
import type { RemoteDeclaration } from '../readRemote.js';
import type { McpPinChange } from './McpPins.js';
import { createPin, pinKeyOf, type Pin, type ServerPins } from './pinBook.js';

/** A difference, and the new pin if it is accepted. */
export interface PinDifference {
  readonly key: string;
  readonly change: McpPinChange;
  /** Undefined for a removed declaration. */
  readonly pin: Pin | undefined;
}

/**
 * Compares the declarations of a server with their pins.
 *
 * @param isListed false for kinds that were not asked for, whose pins are not compared
 */
export function comparePins(
  server: string,
  pins: ServerPins,
  declared: readonly RemoteDeclaration[],
  isListed: (kind: string) => boolean,
): readonly PinDifference[] {
  const sent = new Set(declared.map(pinKeyOf));
  const found = declared.flatMap((declaration): readonly PinDifference[] => {
    const { kind, remoteName } = declaration;
    const key = pinKeyOf(declaration);
    const [before, pin] = [pins.get(key), createPin(declaration)];
    if (before?.sha256 === pin.sha256 && before.isHidden !== true) return [];
    const change = before === undefined ? 'added' : before.isHidden === true ? 'returned' : 'changed';
    const difference = formatDifference(before?.declaration, pin.declaration);
    return [{ key, pin, change: { server, change, kind, remoteName, difference } }];
  });
  const removed = [...pins].flatMap(([key, { declaration, isHidden }]): readonly PinDifference[] => {
    const kind = key.slice(0, key.indexOf(' ')) as McpPinChange['kind'];
    if (isHidden === true || sent.has(key) || !isListed(kind)) return [];
    const remoteName = key.slice(kind.length + 1);
    const difference = formatDifference(declaration, undefined);
    return [{ key, pin: undefined, change: { server, change: 'removed', kind, remoteName, difference } }];
  });
  return [...found, ...removed];
}

/** Writes a value as JSON in ASCII, so that invisible characters and look-alikes of letters can be seen. */
function toAsciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Lists the values that differ, each with its path. */
function formatDifference(before: unknown, after: unknown): string {
  const lines: string[] = [];
  const write = (sign: string, path: string, value: unknown): void => {
    if (value === undefined) return;
    const text = toAsciiJson(value);
    const end = text.length > MAX_DIFFERENCE_VALUE_CHARS ? `… (${String(text.length)} characters)` : '';
    lines.push(`${sign} ${path === '' ? '' : `${path}: `}${text.slice(0, MAX_DIFFERENCE_VALUE_CHARS)}${end}`);
  };
  const visit = (path: string, one: unknown, other: unknown): void => {
    if (one === other || (isObject(one) && isObject(other) && JSON.stringify(one) === JSON.stringify(other))) return;
    if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) {
      write('-', path, one);
      write('+', path, other);
      return;
    }
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const inner = `${path === '' ? '' : `${path}.`}${toAsciiJson(key).slice(1, -1)}`;
      visit(inner, read(one, key), read(other, key));
    }
  };
  if (before === undefined || after === undefined)
    for (const [key, value] of Object.entries(Object(before ?? after) as object))
      write(before === undefined ? '+' : '-', key, value);
  else visit('', before, after);
  const more = lines.length - MAX_DIFFERENCE_LINES;
  return [...lines.slice(0, MAX_DIFFERENCE_LINES), ...(more > 0 ? [`… ${String(more)} more lines`] : [])].join('\n');
}

function read(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}
