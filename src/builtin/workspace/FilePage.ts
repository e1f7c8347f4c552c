import { Field } from '../../decorator/Param.js';
import { ToolRefusal } from '../../error/toolErrors.js';
import type { ReadResult } from '../../interface/Filesystem.js';
import { createResult, joinToOneLine } from './resultTexts.js';
import { MAX_CONTENT_CHARS, MAX_PAGE_CHARS, MAX_SHOWN_LINE_CHARS } from '../limits.js';

/** The result of `read_file`: some lines of a file, as many as fit into one page. */
export class FilePage {
  @Field('Path from the root of the workspace')
  readonly path!: string;

  @Field('The lines, each with its ending, the last one without')
  readonly content!: string;

  @Field({ description: 'How many lines were skipped', integer: true })
  readonly offset!: number;

  @Field({ description: 'How many lines these are', integer: true })
  readonly lines!: number;

  @Field({ description: 'How many lines the file has', name: 'total_lines', integer: true })
  readonly totalLines!: number;

  /** @throws ToolRefusal if the lines are not text, or the first one is too long */
  static of({ path, content, offset, limit, totalLines }: ReadResult): FilePage {
    if (content.includes('\0'))
      throw new ToolRefusal(
        `${JSON.stringify(path)} is not a text file: it contains NUL characters. Continue without reading it.`,
      );
    const read = limit === 0 ? [] : content.split('\n');
    const firstLine = read[0]?.length ?? 0;
    if (firstLine > MAX_CONTENT_CHARS)
      throw new ToolRefusal(
        `Line ${String(offset + 1)} of ${JSON.stringify(path)} has ${String(firstLine)} characters, more than the ` +
          `${String(MAX_CONTENT_CHARS)} that are shown of one line. Look for a part of it with grep.`,
      );
    const lines = countFittingLines(read);
    return createResult(FilePage, { path, content: read.slice(0, lines).join('\n'), offset, lines, totalLines });
  }

  /** Renders the numbers of these lines, where to continue, and the lines with their numbers. */
  render(): string {
    const { offset, lines, totalLines, content } = this;
    const path = joinToOneLine(this.path);
    if (totalLines === 0) return `${path} is empty.`;
    if (lines === 0) return `${path} ends with line ${String(totalLines)}. Choose a smaller offset.`;
    const end = offset + lines;
    const next = end < totalLines ? ` Continue with offset ${String(end)}.` : '';
    const numbered = content.split('\n').map((line, index) => `${String(offset + index + 1)}\t${shortenLine(line)}`);
    return [`${path}, lines ${String(offset + 1)}-${String(end)} of ${String(totalLines)}.${next}`, ...numbered].join(
      '\n',
    );
  }
}

/** Counts the lines that fit into a page: at least one, or reading would never advance. */
function countFittingLines(lines: readonly string[]): number {
  let room = MAX_PAGE_CHARS;
  const first = lines.findIndex((line) => (room -= Math.min(line.length, MAX_SHOWN_LINE_CHARS) + 1) < 0);
  return first === -1 ? lines.length : Math.max(first, 1);
}

function shortenLine(line: string): string {
  if (line.length <= MAX_SHOWN_LINE_CHARS) return line;
  return `${line.slice(0, MAX_SHOWN_LINE_CHARS)}… (the line has ${String(line.length)} characters)`;
}
