import type { Terminal } from './Terminal.js';

/** Writes rows under a head, in columns that fit the terminal; separated by tabs where standard output is no terminal. */
export async function table(
  terminal: Terminal,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<string> {
  if (!terminal.isInteractive) return [head, ...rows].map((row) => row.map(oneLine).join('\t')).join('\n');
  const { default: Table } = await import('cli-table3');
  const { colors } = terminal;
  const made = new Table({
    head: head.map((title) => colors.bold(title)),
    style: { head: [], border: [], compact: true },
    chars: {
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '  ',
    },
    wordWrap: true,
    colWidths: widths(terminal.width, head, rows),
  });
  made.push(...rows.map((row) => [...row]));
  return made.toString().replace(/[ \t]+$/gm, '');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** The last column gets what the others leave. */
function widths(width: number, head: readonly string[], rows: readonly (readonly string[])[]): number[] {
  const longest = head.map((title, at) => Math.max(title.length, ...rows.map((row) => plainLength(row[at] ?? ''))) + 2);
  const others = longest.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
  return [...longest.slice(0, -1), Math.max(20, Math.min(longest.at(-1) ?? 0, width - others - 2))];
}

function plainLength(text: string): number {
  return Math.max(
    ...text
      .replace(/\u001b\[\d+m/g, '')
      .split('\n')
      .map(({ length }) => length),
  );
}
