import type { Node, Program } from 'acorn';
import type { Parsers } from './createParsers.js';
import { scriptOptions } from './parseScript.js';

/**
 * Returns the offset of the expression with which a program ends; undefined if it ends with something else. Trailing statements
 * without an effect are skipped: a stray semicolon, a function that is declared below its use.
 */
export function findLastExpression({ body }: Program, text: string, parsers: Parsers): number | undefined {
  const last = body.filter(({ type }) => type !== 'EmptyStatement' && type !== 'FunctionDeclaration').at(-1);
  if (last === undefined) return undefined;
  if (last.type === 'ExpressionStatement') return last.start;
  return last.type === 'BlockStatement' && canReadAsObject(last, text, parsers) ? last.start : undefined;
}

/** Returns true if a trailing block also parses as an object, as `{ total }` and `{ total: sum }`, which have no effect as blocks. */
function canReadAsObject(block: Node, text: string, { Strict }: Parsers): boolean {
  try {
    const object = Strict.parseExpressionAt(text, block.start, scriptOptions);
    if (object.type !== 'ObjectExpression' || object.end !== block.end) return false;
    return object.properties.length > 0 && object.properties.every((each) => each.type === 'Property' && !each.method);
  } catch {
    return false;
  }
}
