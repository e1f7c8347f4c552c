/** The Levenshtein distance: the fewest characters that are put in, taken out or replaced to make the one word of the other. */
export function distance(from: string, to: string): number {
  // The distances of what was read of `from` to each beginning of `to`.
  let row = Array.from({ length: to.length + 1 }, (_, length) => length);
  for (let read = 1; read <= from.length; read++) {
    const next = [read];
    for (let length = 1; length <= to.length; length++) {
      const replaced = (row[length - 1] ?? 0) + (from[read - 1] === to[length - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[length] ?? 0) + 1, (next[length - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
