import { type OptionNames, requireOptionNames } from 'toolwright/internal';
/** The program in a text, or the reason why there is none. `unclosed-fence`: the text was cut off inside the program. */
export type ExtractedCode =
  | { readonly code: string; readonly reason: null }
  | { readonly code: null; readonly reason: 'none' | 'unclosed-fence' };

export interface ExtractCodeOptions {
  /** Joins all blocks with line breaks instead of taking the first. */
  readonly all?: boolean | undefined;
}

interface Block {
  /** `bare`: the fence names no language; `other`: it names one that is not TypeScript or JavaScript. */
  readonly kind: 'program' | 'bare' | 'other';
  /** Null if the fence is not closed. */
  readonly code: string | null;
}

interface Opening {
  readonly kind: Block['kind'];
  readonly indent: string;
  readonly fence: string;
}

const TAGS = new Set(['ts', 'typescript', 'tsx', 'js', 'javascript', 'mjs', 'jsx']);
// Does not backtrack: a line may be as long as the text.
const OPENING = /^(?<indent>[ \t]*)(?<fence>`{3,}|~{3,})[ \t]*(?<tag>[\w+#.-]*)/;

const optionNames: OptionNames<ExtractCodeOptions> = { all: 1 };

/**
 * Extracts the program from a model's answer: the first fenced block marked as TypeScript or JavaScript, else the first without
 * a language (docs/contract.md, 22). Takes time linear in the length of the text.
 *
 * @param text as the model wrote it; fences of three or more backticks or tildes, indented ones included
 */
export function extractCode(text: string, options: ExtractCodeOptions = {}): ExtractedCode {
  requireOptionNames('extractCode', options, optionNames);
  const blocks = findBlocks(text.trimEnd());
  const marked = blocks.filter(({ kind }) => kind === 'program');
  const candidates = marked.length > 0 ? marked : blocks.filter(({ kind }) => kind === 'bare');
  const wanted = options.all === true ? candidates : candidates.slice(0, 1);
  const codes = wanted.flatMap(({ code }) => (code === null ? [] : [code]));
  if (codes.length < wanted.length) return { code: null, reason: 'unclosed-fence' };
  return codes.length === 0 ? { code: null, reason: 'none' } : { code: codes.join('\n'), reason: null };
}

function findBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let opening: Opening | undefined;
  let inside: string[] = [];
  for (let start = 0; start <= text.length;) {
    const end = findLineEnd(text, start);
    const line = text.slice(start, text.charAt(end - 1) === '\r' && end > start && end < text.length ? end - 1 : end);
    start = end + 1;
    if (opening === undefined) {
      opening = readOpening(line);
      inside = [];
    } else if (isClosingFence(line, opening)) {
      blocks.push({ kind: opening.kind, code: inside.join('\n') });
      opening = undefined;
    } else {
      inside.push(removeIndent(line, opening.indent));
    }
  }
  if (opening !== undefined) blocks.push({ kind: opening.kind, code: cutClosingFence(inside, opening) });
  return blocks;
}

function findLineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

function readOpening(line: string): Opening | undefined {
  const start = skipBlanks(line, 0);
  // Few lines are fences, and matching an expression against each of a million lines takes too long.
  if (!line.startsWith('```', start) && !line.startsWith('~~~', start)) return undefined;
  const { indent = '', fence = '', tag = '' } = OPENING.exec(line)?.groups ?? {};
  if (fence === '') return undefined;
  // A further backquote on the line makes it inline code: ```x```.
  if (fence.startsWith('`') && line.includes('`', indent.length + fence.length)) return undefined;
  const kind = tag === '' ? 'bare' : TAGS.has(tag.toLowerCase()) ? 'program' : 'other';
  return { kind, indent, fence };
}

/** Returns true for a line that holds only a fence, at least as long as the opening one, with blanks around it. */
function isClosingFence(line: string, { fence }: Opening): boolean {
  const start = skipBlanks(line, 0);
  if (!line.startsWith(fence, start)) return false;
  let end = start + fence.length;
  while (line.charAt(end) === fence.charAt(0)) end++;
  return skipBlanks(line, end) === line.length;
}

/** Returns the offset of the first character, from `start` on, that is neither a space nor a tab. */
function skipBlanks(line: string, start: number): number {
  let at = start;
  while (line.charAt(at) === ' ' || line.charAt(at) === '\t') at++;
  return at;
}

/** Accepts a closing fence at the end of the last line of code, if nothing follows it. */
function cutClosingFence(inside: readonly string[], { fence }: Opening): string | null {
  const code = inside.join('\n');
  return code.endsWith(fence) ? code.slice(0, findRunStart(code, fence.charAt(0))) : null;
}

/** Returns the index at which the trailing run of a character begins. */
function findRunStart(text: string, character: string): number {
  let start = text.length;
  while (text.charAt(start - 1) === character) start--;
  return start;
}

/** Removes at most the indentation of the fence from a line. */
function removeIndent(line: string, indent: string): string {
  let width = 0;
  while (width < indent.length && (line.charAt(width) === ' ' || line.charAt(width) === '\t')) width++;
  return line.slice(width);
}
