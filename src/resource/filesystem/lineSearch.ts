import { MAX_PATTERN_CHARS, MAX_SEARCHED_LINE_CHARS } from '../../common/limits.js';
import { messageOf } from '../../common/text.js';
import type { GrepMatch } from '../../interface/Filesystem.js';
import { compileLinearPattern, type LinearPattern } from '../../schema/pattern/compileLinearPattern.js';
import { tooLarge } from '../../schema/pattern/PatternProblem.js';
import { refusals } from './refusals.js';

/** A match in a text, or a line without a match. The search may pause after it. */
export type LineStep = Omit<GrepMatch, 'path'> | undefined;

/**
 * Compiles a regular expression for matching lines, in linear time for any pattern and text.
 *
 * @throws FilesystemError invalidPattern if it is not a JavaScript regular expression, is longer than 1,000 characters,
 * takes more than linear time (lookarounds, back references), or has more than 2,000 parts after its repetitions are
 * written out
 */
export function createLineExpression(pattern: string): LinearPattern {
  // V8 would read a pattern of a megabyte for longer than the event loop may be blocked.
  const compiled =
    pattern.length > MAX_PATTERN_CHARS ? tooLarge.length(MAX_PATTERN_CHARS) : compileLinearPattern(compile(pattern));
  if (compiled.has !== undefined) throw refusals.unsupportedExpression(pattern, compiled.has, compiled.instead);
  return compiled;
}

/** Yields the first match in each line of a text, or `undefined`. Searches only the beginning of a long line. */
export function* findMatchesIn(text: string, expression: LinearPattern): Generator<LineStep> {
  const most = Math.min(expression.longest, MAX_SEARCHED_LINE_CHARS);
  let from = 0;
  for (let line = 1; from < text.length; line++) {
    const end = text.indexOf('\n', from);
    const next = end === -1 ? text.length : end + 1;
    // Without the \r: otherwise `;$` would not match in a file with \r\n.
    const to = end === -1 ? text.length : text[end - 1] === '\r' ? end - 1 : end;
    const content = text.slice(from, Math.min(to, from + most));
    const match = expression.find(content);
    yield match === undefined ? undefined : { line, text: content, ...match };
    from = next;
  }
}

function compile(pattern: string): RegExp {
  try {
    // Supports \p{L} and treats an emoji as one character, but rejects needless escapes such as \-, which models often
    // write.
    return new RegExp(pattern, 'u');
  } catch {
    try {
      return new RegExp(pattern);
    } catch (error) {
      throw refusals.invalidExpression(pattern, describeCause(error));
    }
  }
}

/**
 * Returns the reason in the engine's message, without the pattern: `Invalid regular expression: /(/: Unterminated
 * group`.
 */
function describeCause(error: unknown): string {
  const message = messageOf(error);
  return message.slice(message.lastIndexOf(': ') + 1).trim();
}
