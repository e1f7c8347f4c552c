import { Field } from '../../decorator/Param.js';

/** The result of `read_result`: a part of an earlier result. */
export class ResultPage {
  @Field('The handle of the earlier result')
  readonly handle!: string;

  @Field('A part of its text')
  readonly content!: string;

  @Field({ description: 'How many characters were skipped', integer: true })
  readonly offset!: number;

  @Field({ description: 'How many characters the whole text has', name: 'total_characters', integer: true })
  readonly totalCharacters!: number;

  /**
   * Takes a part of a text that begins and ends between two characters.
   *
   * @param offset start in UTF-16 units
   * @param limit maximum length in UTF-16 units; one more if a single character is longer
   */
  static of(handle: string, text: string, offset: number, limit: number): ResultPage {
    const start = isWithin(text, offset) ? offset - 1 : offset;
    const end = start + Math.max(limit, 1);
    const content = text.slice(start, isWithin(text, end) ? (end - 1 > start ? end - 1 : end + 1) : end);
    return Object.assign(new ResultPage(), { handle, content, offset: start, totalCharacters: text.length });
  }

  /** Renders the position of this part, where to continue, and the part itself. */
  render(): string {
    const { handle, content, offset, totalCharacters } = this;
    const total = String(totalCharacters);
    if (content === '') return `The result ${handle} has ${total} characters. Choose a smaller offset.`;
    const end = offset + content.length;
    const next = end < totalCharacters ? ` Continue with offset ${String(end)}.` : '';
    return `${handle}, characters ${String(offset)} to ${String(end)} of ${total}.${next}\n${content}`;
  }
}

/** Returns true for a place between the two halves of one character. */
function isWithin(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(at - 1, 0), at + 1)) && at > 0;
}
