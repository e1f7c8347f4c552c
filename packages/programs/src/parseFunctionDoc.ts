/** A parsed doc comment: the description of a function and of its parameters. */
export interface FunctionDoc {
  readonly description: string;
  readonly params: ReadonlyMap<string, string>;
}

const TAG = /^@(\w+)\s*(.*)$/;
const PARAM = /^(?:\{[^}]*\}\s*)?\[?([\w$]+)[^\s\]]*\]?\s*(?:-\s*)?(.*)$/;
const HEADING = /^(Args|Arguments|Parameters|Returns?|Raises|Throws|Yields|Examples?|Notes?):$/;
const ENTRY = /^\*{0,2}([\w$]+)\s*(?:\([^)]*\)\s*)?:\s*(.*)$/;

/**
 * Parses a TSDoc comment (`@param name - text`), or one in Google's style (`Args:`, then a line `name: text` for each parameter).
 * The first paragraph is the description; text on further lines belongs to the entry above it.
 *
 * @param text with or without comment delimiters
 */
export function parseFunctionDoc(text: string): FunctionDoc {
  const params = new Map<string, string>();
  const description: string[] = [];
  let part: 'description' | 'args' | 'other' = 'description';
  let open: { readonly name: string; readonly indent: number } | undefined;
  const begin = (name: string, summary: string, indent: number): void => {
    open = { name, indent };
    params.set(name, summary);
  };
  for (const { line, indent } of linesOf(text)) {
    const [, tag, rest = ''] = TAG.exec(line) ?? [];
    const heading = HEADING.exec(line)?.[1];
    const [, name, summary = ''] =
      (tag === 'param' ? PARAM.exec(rest) : part === 'args' ? ENTRY.exec(line) : null) ?? [];
    if (line === '') part = part === 'description' && description.length > 0 ? 'other' : part;
    else if (heading !== undefined) {
      part = /^(?:Arg|Param)/.test(heading) ? 'args' : 'other';
      open = undefined;
    } else if (name !== undefined && (tag === 'param' || open === undefined || indent <= open.indent)) {
      begin(name, summary, indent);
      if (tag === 'param') part = 'other';
    } else if (tag !== undefined) {
      part = 'other';
      open = undefined;
    } else if (open !== undefined) params.set(open.name, `${params.get(open.name) ?? ''} ${line}`.trim());
    else if (part === 'description') description.push(line);
  }
  return { description: description.join(' '), params };
}

function linesOf(text: string): readonly { readonly line: string; readonly indent: number }[] {
  return text
    .replace(/^\s*\/\*\*?/, '')
    .replace(/\*\/\s*$/, '')
    .split(/\r?\n/)
    .map((written) => written.replace(/^\s*\*(?!\*) ?/, ''))
    .map((written) => ({ line: written.trim(), indent: written.length - written.trimStart().length }));
}
