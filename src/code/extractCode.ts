import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
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
// No further backtick may follow on the line: ```x``` is inline code.
const OPENING = /^(?<indent>[ \t]*)(?<fence>`{3,}(?!.*`)|~{3,})[ \t]*(?<tag>[\w+#.-]*)/;
const CLOSING = /^[ \t]*(?<fence>`{3,}|~{3,})[ \t]*$/;

const optionNames: OptionNames<ExtractCodeOptions> = { all: 1 };

/**
 * Extracts the program from a model's answer: the first fenced block marked as TypeScript or JavaScript, else the first without
 * a language (docs/contract.md, 22). Takes time linear in the length of the text.
 *
 * @param text as the model wrote it; fences of three or more backticks or tildes, indented ones included
 */
export function extractCode(text: string, options: ExtractCodeOptions = {}): ExtractedCode {
  requireOptionNames('extractCode', options, optionNames);
  const blocks = blocksOf(text.trimEnd().split(/\r?\n/));
  const marked = blocks.filter(({ kind }) => kind === 'program');
  const candidates = marked.length > 0 ? marked : blocks.filter(({ kind }) => kind === 'bare');
  const wanted = options.all === true ? candidates : candidates.slice(0, 1);
  const codes = wanted.flatMap(({ code }) => (code === null ? [] : [code]));
  if (codes.length < wanted.length) return { code: null, reason: 'unclosed-fence' };
  return codes.length === 0 ? { code: null, reason: 'none' } : { code: codes.join('\n'), reason: null };
}

function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let opening: Opening | undefined;
  let inside: string[] = [];
  for (const line of lines) {
    if (opening === undefined) {
      opening = openingOf(line);
      inside = [];
    } else if (closes(CLOSING.exec(line)?.groups?.['fence'], opening)) {
      blocks.push({ kind: opening.kind, code: inside.join('\n') });
      opening = undefined;
    } else {
      inside.push(withoutIndent(line, opening.indent));
    }
  }
  if (opening !== undefined) blocks.push({ kind: opening.kind, code: closedAtTheEnd(inside, opening) });
  return blocks;
}

function openingOf(line: string): Opening | undefined {
  const { indent = '', fence = '', tag = '' } = OPENING.exec(line)?.groups ?? {};
  if (fence === '') return undefined;
  const kind = tag === '' ? 'bare' : TAGS.has(tag.toLowerCase()) ? 'program' : 'other';
  return { kind, indent, fence };
}

function closes(fence: string | undefined, opening: Opening): boolean {
  return fence?.startsWith(opening.fence) === true;
}

/** Accepts a closing fence at the end of the last line of code, if nothing follows it. */
function closedAtTheEnd(inside: readonly string[], { fence }: Opening): string | null {
  const code = inside.join('\n');
  return code.endsWith(fence) ? code.slice(0, startOfRun(code, fence.charAt(0))) : null;
}

/** The index at which the trailing run of a character begins. */
function startOfRun(text: string, character: string): number {
  let start = text.length;
  while (text.charAt(start - 1) === character) start--;
  return start;
}

/** Removes at most the indentation of the fence from a line. */
function withoutIndent(line: string, indent: string): string {
  let width = 0;
  while (width < indent.length && (line.charAt(width) === ' ' || line.charAt(width) === '\t')) width++;
  return line.slice(width);
}
