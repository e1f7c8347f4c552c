/** Code points as sorted ranges, both ends included, that neither overlap nor touch. */
export type CodePoints = readonly (readonly [from: number, to: number])[];

const LAST = 0x10ffff;

/** Every code point. */
export const EVERYTHING: CodePoints = [[0, LAST]];

/** The code points of `\d`. */
export const DIGITS: CodePoints = [[0x30, 0x39]];

/** The code points of `\w`. */
export const WORD: CodePoints = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];

/** The code points of `\s`. */
export const SPACE: CodePoints = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

/** The code points that end a line, which the dot does not match. */
export const LINE_ENDS: CodePoints = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

/** The code points in any of the sets. */
export function union(sets: readonly CodePoints[]): CodePoints {
  const merged: [number, number][] = [];
  for (const [from, to] of sets.flat().sort(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** The code points that are not in the set. */
export function complement(set: CodePoints): CodePoints {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST) gaps.push([next, LAST]);
  return gaps;
}

/** The code points in both sets. */
export function intersection(one: CodePoints, other: CodePoints): CodePoints {
  return complement(union([complement(one), complement(other)]));
}

/** True if at least one code point is in both sets. */
export function overlaps(one: CodePoints, other: CodePoints): boolean {
  let i = 0;
  let j = 0;
  for (;;) {
    const [left, right] = [one[i], other[j]];
    if (left === undefined || right === undefined) return false;
    if (left[1] < right[0]) i++;
    else if (right[1] < left[0]) j++;
    else return true;
  }
}
