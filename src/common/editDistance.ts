/** The fewest insertions, deletions and replacements of UTF-16 units that make one text of the other. */
export function editDistance(from: string, to: string): number {
  // The distance between what was read of `from` and each beginning of `to`; in place, since names are compared by the thousand.
  const row = Uint32Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 0; line < from.length; line++) {
    const unit = from.charCodeAt(line);
    let diagonal = line;
    let last = line + 1;
    row[0] = last;
    for (let column = 1; column <= to.length; column++) {
      const above = row[column] ?? 0;
      const replaced = unit === to.charCodeAt(column - 1) ? diagonal : diagonal + 1;
      const inserted = (above < last ? above : last) + 1;
      last = replaced < inserted ? replaced : inserted;
      row[column] = last;
      diagonal = above;
    }
  }
  return row[to.length] ?? 0;
}
