import { messageOf, quote } from '../../common/text.js';
import type { GrepMatch } from '../../interface/Filesystem.js';
import { exponentialPart } from '../../schema/pattern/backtracking.js';
import { refusals } from './refusals.js';

const MAX_PATTERN = 10_000;

/**
 * Compiles a regular expression for matching lines.
 *
 * @throws FilesystemError invalidPattern if it is not a JavaScript regular expression, is longer than 10,000 characters, or
 *   may take time that grows exponentially with the text
 */
export function lineExpression(pattern: string): RegExp {
  if (pattern.length > MAX_PATTERN)
    throw refusals.invalidExpression(pattern, `it is longer than ${String(MAX_PATTERN)} characters`);
  const expression = compile(pattern);
  const part = exponentialPart(expression);
  if (part !== undefined)
    throw refusals.invalidExpression(pattern, `${quote(part)} can match one text in too many ways; make it simpler`);
  return expression;
}

/** Yields the first match in each line of a text. */
export function* matchesIn(text: string, expression: RegExp): Generator<Omit<GrepMatch, 'path'>> {
  let from = 0;
  for (let line = 1; from < text.length; line++) {
    const end = text.indexOf('\n', from);
    const next = end === -1 ? text.length : end + 1;
    // Without the \r, since `;$` would otherwise not match in a file with \r\n.
    const content = end === -1 ? text.slice(from) : text.slice(from, text[end - 1] === '\r' ? end - 1 : end);
    const match = expression.exec(content);
    if (match !== null) yield { line, text: content, start: match.index, end: match.index + match[0].length };
    from = next;
  }
}

function compile(pattern: string): RegExp {
  try {
    // Supports \p{L}, and treats an emoji as one character, but rejects needless escapes such as \-, which models often write.
    return new RegExp(pattern, 'u');
  } catch {
    try {
      return new RegExp(pattern);
    } catch (error) {
      throw refusals.invalidExpression(pattern, reasonOf(error));
    }
  }
}

/** The reason in the engine's message, without the pattern: `Invalid regular expression: /(/: Unterminated group`. */
function reasonOf(error: unknown): string {
  const message = messageOf(error);
  return message.slice(message.lastIndexOf(': ') + 1).trim();
}
