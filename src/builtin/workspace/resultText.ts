/** As many lines as are worth reading; whoever needs more has asked for too much. */
const MOST_LINES = 1_000;

/** A name as one line, whatever is in it: what could be taken for another line is quoted. */
export function oneLine(name: string): string {
  return /[\0-\x1f\x7f\u2028\u2029]/.test(name) ? JSON.stringify(name) : name;
}

/** Lines below each other; of very many the first ones, and how many more there are. */
export function listedLines(lines: readonly string[]): string {
  const more = lines.length - MOST_LINES;
  return [
    ...lines.slice(0, MOST_LINES),
    ...(more > 0 ? [`… and ${String(more)} more. Narrow what you ask for.`] : []),
  ].join('\n');
}
