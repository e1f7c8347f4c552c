import { Section } from '../../decorator/Section.js';
import { Tool } from '../../decorator/Tool.js';
import { ToolRefusal } from '../../error/toolErrors.js';
import { READ_RESULT } from '../../evaluate/conversation/history/LongResults.js';
import { ToolContext } from '../../tool/ToolContext.js';
import { MAX_SHOWN_HANDLE_CHARS } from '../limits.js';
import { Field, Param } from '../../decorator/Param.js';

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

/** The arguments of `read_result`. */
export class ReadResultParams {
  @Param('Handle of the result, copied exactly')
  handle!: string;

  @Param({ description: 'How many characters to skip', integer: true, min: 0 })
  offset = 0;

  @Param({ description: 'How many characters to read at most', integer: true, min: 1, max: 10_000 })
  limit = 4_000;
}

/**
 * Lets the model read long results of earlier calls. `history: { spillAbove }` leaves only their beginning and a handle
 * in the conversation. A handle names a result of that conversation only (docs/contract.md, 17).
 *
 * @example
 * @Prompt({ ns: 'shop', key: 'desk', sections: [Reports, ResultsSection] })
 * class Desk {}
 *
 * await app.evaluate(app.prompt(Desk), { adapter, conversation, messages, history: { maxTokens, summarise, spillAbove: 1_000 } });
 */
@Section({
  key: 'results',
  title: 'Earlier results',
  template: `
    When a conversation grows long, only the beginning of a long result stays in it, with a handle. \`read_result\` reads any part of that result by its handle. Read what you need of it: repeat the call only for what may have changed since.
  `,
})
export class ResultsSection {
  /** Reads a part of an earlier result. */
  @Tool({
    name: READ_RESULT,
    description: 'Read a part of a long result of an earlier call, by its handle.',
    result: ResultPage,
    hints: { readOnly: true, idempotent: true, openWorld: false },
  })
  readResult({ handle, offset, limit }: ReadResultParams, { run }: ToolContext): ResultPage {
    if (run === null) {
      throw new ToolRefusal(
        'This call belongs to no conversation, so that there are no earlier results. Repeat the call itself.',
      );
    }
    const text = run.result(handle);
    if (text === undefined) {
      throw new ToolRefusal(
        `This conversation has no result with the handle ${JSON.stringify(handle.slice(0, MAX_SHOWN_HANDLE_CHARS))}. ` +
          'Copy a handle exactly from a shortened result or from the list of long results, or repeat the call itself.',
      );
    }
    return ResultPage.of(handle, text, offset, limit);
  }
}
