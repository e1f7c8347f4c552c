import { Field } from '../../decorator/Param.js';
import { joinToOneLine } from './resultTexts.js';
import { MAX_CHARS_BEFORE_MATCH, MAX_FOUND_LINE_CHARS } from '../limits.js';

/** A line with a match. */
export class LineFound {
  @Field('Path from the root of the workspace')
  readonly path!: string;

  @Field({ description: 'Number of the line, from 1', integer: true })
  readonly line!: number;

  @Field('The line')
  readonly text!: string;

  @Field({ description: 'Where in the line the match begins, from 0', integer: true })
  readonly start!: number;

  /** Renders `path:line: text`. For a long line, renders the part around the match. */
  render(): string {
    return `${joinToOneLine(this.path)}:${String(this.line)}: ${cutAroundMatch(this.text, this.start)}`;
  }
}

/** The result of `grep`: lines with a match, by path and line. */
export class LinesFound {
  @Field({ description: 'The lines, by path and line', type: () => [LineFound] })
  readonly matches!: readonly LineFound[];

  @Field({ description: 'False when there may be more', name: 'is_complete' })
  readonly isComplete!: boolean;

  /** Renders one match per line. */
  render(): string {
    const { matches, isComplete } = this;
    if (matches.length === 0) return 'No line matches.';
    const more = `There may be more than these ${String(matches.length)}. Narrow the pattern, path or glob, or raise limit.`;
    return [...matches.map((match) => match.render()), ...(isComplete ? [] : [more])].join('\n');
  }
}

function cutAroundMatch(text: string, start: number): string {
  if (text.length <= MAX_FOUND_LINE_CHARS) return text;
  const from = Math.min(Math.max(start - MAX_CHARS_BEFORE_MATCH, 0), text.length - MAX_FOUND_LINE_CHARS);
  return `${from > 0 ? '…' : ''}${text.slice(from, from + MAX_FOUND_LINE_CHARS)}${from + MAX_FOUND_LINE_CHARS < text.length ? '…' : ''}`;
}
