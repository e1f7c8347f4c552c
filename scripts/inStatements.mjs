// Line breaks for minified code: Node prints the line of an uncaught error, and a debugger stops at lines.
import { parse } from 'acorn';

/** The code with a line for each statement and each member of a class. */
export function inStatements(code) {
  const ends = new Set();
  collectEnds(parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowReturnOutsideFunction: true }), ends);
  let [text, from] = ['', 0];
  for (const end of [...ends].sort((one, other) => one - other)) {
    text += `${code.slice(from, end)}\n`;
    from = end;
  }
  return text + code.slice(from);
}

/** Where a node of a list of statements or members ends: no line break behind one can change what the code means. */
function collectEnds(node, ends) {
  if (/^(?:Program|BlockStatement|ClassBody|StaticBlock)$/.test(node.type))
    for (const { end } of node.body) ends.add(end);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === 'string') collectEnds(child, ends);
}
