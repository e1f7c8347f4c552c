import type { Node, Program } from 'acorn';
import type { Parsers } from './parsers.js';
import { scriptOptions } from './parseScript.js';

/**
 * Where the expression begins with which a program ends; undefined when it ends with something else. What does nothing at the
 * end is passed over: a stray semicolon, a function that is declared below its use.
 */
export function lastExpression({ body }: Program, text: string, parsers: Parsers): number | undefined {
  const last = body.filter(({ type }) => type !== 'EmptyStatement' && type !== 'FunctionDeclaration').at(-1);
  if (last === undefined) return undefined;
  if (last.type === 'ExpressionStatement') return last.start;
  return last.type === 'BlockStatement' && readsAsObject(last, text, parsers) ? last.start : undefined;
}

/** Whether a block at the end is meant as an object: `{ total }` and `{ total: sum }` are both, but do nothing as blocks. */
function readsAsObject(block: Node, text: string, { Strict }: Parsers): boolean {
  try {
    const object = Strict.parseExpressionAt(text, block.start, scriptOptions);
    if (object.type !== 'ObjectExpression' || object.end !== block.end) return false;
    return object.properties.length > 0 && object.properties.every((each) => each.type === 'Property' && !each.method);
  } catch {
    return false;
  }
}
