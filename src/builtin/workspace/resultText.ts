/** As many lines as are worth reading: a request that results in more was too broad. */
const MOST_LINES = 1_000;

/** Writes a name on one line: a name that could be taken for several lines is quoted. */
export function oneLine(name: string): string {
  return /[\0-\x1f\x7f\u2028\u2029]/.test(name) ? JSON.stringify(name) : name;
}

/** Joins lines; of very many, the first ones and how many more there are. */
export function listedLines(lines: readonly string[]): string {
  const more = lines.length - MOST_LINES;
  return [
    ...lines.slice(0, MOST_LINES),
    ...(more > 0 ? [`… and ${String(more)} more. Narrow what you ask for.`] : []),
  ].join('\n');
}
