import { isObject } from 'toolwright/internal/light';
import { isSchema, listInnerSchemas } from 'toolwright/internal';

/** An argument that is repeated in a header of its HTTP request. */
export interface HeaderMirror {
  readonly header: string;
  /** The keys that lead from the arguments to the value. */
  readonly path: readonly string[];
}

/** The keyword of a property whose value is repeated in the header `Mcp-Param-NAME` (revision 2026-07-28). */
const KEYWORD = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES = ['string', 'integer', 'boolean'];

/**
 * Lists the arguments that a tool wants to have repeated in headers.
 *
 * @param schema the `inputSchema` of the tool, whose size has been checked
 * @returns the reason why the declaration is refused, as a text, if the revision forbids it
 */
export function readHeaderMirrors(schema: unknown): readonly HeaderMirror[] | string {
  const mirrors = new Map<string, HeaderMirror>();
  let declared = 0;
  const visit = (node: unknown, path: readonly string[]): string | undefined => {
    if (!isSchema(node)) return undefined;
    if (Object.hasOwn(node, KEYWORD)) {
      const { [KEYWORD]: name, type } = node;
      declared++;
      const header = typeof name === 'string' && TOKEN.test(name) ? `Mcp-Param-${name}` : undefined;
      if (header === undefined) return 'is not the name of a header';
      if (path.length === 0 || !TYPES.includes(String(type))) return 'is not on a string, integer or boolean property';
      if (mirrors.has(header.toLowerCase())) return 'is used twice';
      mirrors.set(header.toLowerCase(), { header, path });
    }
    const { properties } = node;
    if (!isSchema(properties)) return undefined;
    for (const [key, inner] of Object.entries(properties)) {
      const problem = visit(inner, [...path, key]);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  const problem =
    visit(schema, []) ?? (countDeclared(schema) > declared ? 'is not reached by properties alone' : undefined);
  return problem === undefined ? [...mirrors.values()] : `${KEYWORD} ${problem}`;
}

/** Returns the headers of a call; undefined if there are none. Missing arguments have no header. */
export function writeMirroredHeaders(
  mirrors: readonly HeaderMirror[],
  params: unknown,
): Readonly<Record<string, string>> | undefined {
  const headers = mirrors.flatMap(({ header, path }): [string, string][] => {
    const value = path.reduce<unknown>(
      (node, key) => (isObject(node) && Object.hasOwn(node, key) ? (node as Record<string, unknown>)[key] : undefined),
      params,
    );
    if (typeof value === 'string') return [[header, encodeHeaderValue(value)]];
    return typeof value === 'boolean' || Number.isSafeInteger(value) ? [[header, String(value)]] : [];
  });
  return headers.length === 0 ? undefined : Object.fromEntries(headers);
}

/** Encodes a text that HTTP would change or refuse, as the revision says. */
function encodeHeaderValue(text: string): string {
  const isPlain = /^[\t -~]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

function countDeclared(root: unknown): number {
  const open = [root].filter(isSchema);
  let count = 0;
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (Object.hasOwn(schema, KEYWORD)) count++;
    open.push(...listInnerSchemas(schema));
  }
  return count;
}
