import type { CodePoints } from './codePoints.js';

/** Ranges of planes that only hold ideographs or private use: the first code point represents all of them. */
const SPOKEN_FOR: ReadonlyMap<number, number> = new Map([
  [0x20000, 0x3ffff],
  [0xf0000, 0x10ffff],
]);

// Derived from the engine's tables, which never change; filled only by patterns that need it.
const known = new Map<string, CodePoints>();
let everyCharacter: string | undefined;

/**
 * The code points that a class such as `\p{L}` or `[à-ÿ]` matches under the flags. Determined with the engine itself, since
 * the pattern will run by its tables of properties and of upper and lower case.
 */
export function matchedBy(source: string, flags: string): CodePoints {
  const key = `${source}/${flags}`;
  const found = known.get(key) ?? scan(new RegExp(`(?:${source})+`, `g${flags}`));
  known.set(key, found);
  return found;
}

function scan(pattern: RegExp): CodePoints {
  everyCharacter ??= characters();
  const ranges: [number, number][] = [];
  for (const { 0: run } of everyCharacter.matchAll(pattern)) {
    const last = run.codePointAt(run.length - 2) ?? 0;
    // Two units back is the last character only if it has two units; otherwise it is its neighbour.
    const to = last > 0xffff ? last : run.charCodeAt(run.length - 1);
    ranges.push([run.codePointAt(0) ?? 0, SPOKEN_FOR.get(to) ?? to]);
  }
  return ranges;
}

/** Planes 0 and 1 and one character for each group of others; without surrogates, which would pair up. */
function characters(): string {
  const codes: number[] = [];
  for (let code = 0; code <= 0x1ffff; code++) if (code < 0xd800 || code > 0xdfff) codes.push(code);
  codes.push(...SPOKEN_FOR.keys());
  let text = '';
  // In parts: arguments go on the stack.
  for (let at = 0; at < codes.length; at += 4096) text += String.fromCodePoint(...codes.slice(at, at + 4096));
  return text;
}
