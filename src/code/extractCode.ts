/** The program that a text holds, or why it holds none. `unclosed-fence`: the text was cut off inside of the program. */
export type ExtractedCode =
  | { readonly code: string; readonly reason: null }
  | { readonly code: null; readonly reason: 'none' | 'unclosed-fence' };

export interface ExtractCodeOptions {
  /** Joins all blocks, one below the other, instead of taking the first. */
  readonly all?: boolean | undefined;
}

interface Block {
  /** `bare`: the fence names no language; `other`: one in which no program is written. */
  readonly kind: 'program' | 'bare' | 'other';
  /** Null where the fence is not closed. */
  readonly code: string | null;
}

interface Opening {
  readonly kind: Block['kind'];
  readonly indent: string;
  readonly fence: string;
}

const TAGS = new Set(['ts', 'typescript', 'tsx', 'js', 'javascript', 'mjs', 'jsx']);
// What follows backticks holds none: a line like ```x``` is code within a sentence.
const OPENING = /^(?<indent>[ \t]*)(?<fence>`{3,}(?!.*`)|~{3,})[ \t]*(?<tag>[\w+#.-]*)/;
const CLOSING = /^[ \t]*(?<fence>`{3,}|~{3,})[ \t]*$/;

/**
 * Takes the program out of what a model wrote: the first fenced block that is marked as TypeScript or JavaScript, else the first
 * without a mark (docs/contract.md, 20). The time is linear in the length of the text, whatever it holds.
 *
 * @param text as the model wrote it; fences of three or more backticks or tildes, indented ones included
 */
export function extractCode(text: string, options: ExtractCodeOptions = {}): ExtractedCode {
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

/** The fence may also stand right behind the code, when nothing follows it. */
function closedAtTheEnd(inside: readonly string[], { fence }: Opening): string | null {
  const code = inside.join('\n');
  return code.endsWith(fence) ? code.slice(0, startOfRun(code, fence.charAt(0))) : null;
}

/** Where the run of one character begins that ends the text. */
function startOfRun(text: string, character: string): number {
  let start = text.length;
  while (text.charAt(start - 1) === character) start--;
  return start;
}

/** Takes as much white space away as the fence has in front of it. */
function withoutIndent(line: string, indent: string): string {
  let width = 0;
  while (width < indent.length && (line.charAt(width) === ' ' || line.charAt(width) === '\t')) width++;
  return line.slice(width);
}
