import { escapeLine } from 'toolwright/internal/light';
import { block, bold, joinLines, line, type TerminalText } from './TerminalText.js';
import type { Terminal } from './Terminal.js';

/** Formats rows under a head in columns that fit the terminal, or separated by tabs if standard output is not a terminal. */
export async function formatTable(
  terminal: Terminal,
  head: readonly string[],
  given: readonly (readonly string[])[],
): Promise<TerminalText> {
  const rows = given.map((row) => row.map((cell) => escapeLine(cell.replace(/\s+/g, ' '))));
  if (!terminal.isInteractive) return block([head, ...rows].map((row) => row.join('\t')).join('\n'));
  const { default: Table } = await import('cli-table3');
  const made = new Table({
    head: [...head],
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
    colWidths: fitColumns(terminal.width, head, rows),
  });
  made.push(...rows.map((row) => [...row]));
  const [titles = '', ...lines] = made
    .toString()
    .split('\n')
    .map((each) => each.trimEnd());
  return joinLines([styleTitles(titles, head), block(lines.join('\n'))]);
}

function styleTitles(text: string, head: readonly string[]): TerminalText {
  let rest = text;
  return head.reduce((made, title) => {
    const at = rest.indexOf(title);
    const before = rest.slice(0, at);
    rest = rest.slice(at + title.length);
    return line`${made}${before}${bold(title)}`;
  }, block(''));
}

/** Computes the widths of the columns. The last column gets the remaining width. */
function fitColumns(width: number, head: readonly string[], rows: readonly (readonly string[])[]): number[] {
  const longest = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)) + 2);
  const others = longest.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
  return [...longest.slice(0, -1), Math.max(20, Math.min(longest.at(-1) ?? 0, width - others - 2))];
}
