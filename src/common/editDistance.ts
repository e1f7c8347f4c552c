/** The fewest insertions, deletions and replacements of UTF-16 units that make one text of the other. */
export function editDistance(from: string, to: string): number {
  // The distance between what was read of `from` and each beginning of `to`; the last one is the result.
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  let last = to.length;
  for (let line = 0; line < from.length; line++) {
    let diagonal = line;
    row = row.map((above, column) => {
      const replaced = diagonal + (from[line] === to[column - 1] ? 0 : 1);
      last = column === 0 ? line + 1 : Math.min(replaced, above + 1, last + 1);
      diagonal = above;
      return last;
    });
  }
  return last;
}
