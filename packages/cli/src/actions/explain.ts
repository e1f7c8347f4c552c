import { readdirSync, readFileSync } from 'node:fs';
import { didYouMean, joinBounded } from 'toolwright/internal/light';
import { CliError } from '../CliError.js';
import type { CommandContext } from '../Context.js';
import { findCoreFile } from '../packageFiles.js';
import { block, bold, green, line, red } from '../terminal/TerminalText.js';

/** The section of docs/errors.md about one code. */
interface Explained {
  readonly code: string;
  readonly title: string;
  readonly meaning: string;
  readonly fix: string;
}

/** `toolwright explain E304`, `toolwright explain docs/cli.md#checks-in-ci` */
export function explain(context: CommandContext, name: string, { json = false }: { readonly json?: boolean }): void {
  const { terminal } = context;
  const [, page = '', anchor = ''] = /^(?:docs\/)?([\w-]+\.md)(?:#(.*))?$/.exec(name) ?? [];
  const code = parseCode(page === '' ? name : anchor);
  if (page !== '' && (page !== 'errors.md' || code === undefined)) {
    const text = readSection(page, anchor);
    if (json) terminal.json({ page: `docs/${page}`, text });
    else terminal.data(block(text));
    return;
  }
  const found = explainCode(code ?? name);
  if (json) {
    terminal.json(found);
    return;
  }
  const { title, meaning, fix } = found;
  terminal.data(line`${bold(red(found.code))} ${bold(title)}\n\n${block(meaning)}\n\n${green('Fix:')} ${fix}`);
}

/** Parses a code with or without its letter. */
function parseCode(text: string): string | undefined {
  const [, digits] = /^e?(\d{3})$/i.exec(text) ?? [];
  return digits === undefined ? undefined : `E${digits}`;
}

function explainCode(code: string): Explained {
  const sections = readPage('errors.md').split(/^### /m).slice(1);
  const found = sections.find((section) => section.startsWith(`${code}\n`));
  const [, title = '', meaning = '', fix = ''] = /\*\*(.*?)\.\*\* ([^]*?)\n\nFix: (.*)/.exec(found ?? '') ?? [];
  if (title !== '') return { code, title, meaning, fix };
  throw new CliError(`there is no error ${code}`, { code: 'E974' });
}

/** Returns a page, or its section with an anchor. @throws CliError E974 */
function readSection(page: string, anchor: string): string {
  const text = readPage(page);
  if (anchor === '') return text;
  const headings = [...text.matchAll(/^(#+) (.*)$/gm)].map(({ index, 1: marks = '', 2: title = '' }) => {
    return { index, depth: marks.length, anchor: anchorOf(title) };
  });
  const at = headings.findIndex((heading) => heading.anchor === anchor);
  const start = headings[at];
  if (start === undefined) {
    const anchors = headings.map((heading) => heading.anchor);
    const near = didYouMean(anchor, anchors) || ` There are: ${joinBounded(anchors)}.`;
    throw new CliError(`docs/${page} has no section ${anchor}.${near}`, { code: 'E974' });
  }
  const end = headings.slice(at + 1).find(({ depth }) => depth <= start.depth);
  return text.slice(start.index, end?.index).trimEnd();
}

/** Returns the anchor of a heading, as GitHub makes it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** @throws CliError E974 */
function readPage(page: string): string {
  try {
    return readFileSync(findCoreFile(`docs/${page}`), 'utf8');
  } catch (cause) {
    const pages = readdirSync(findCoreFile('docs')).filter((name) => name.endsWith('.md'));
    const problem = `the package has no page docs/${page}. There are: ${joinBounded(pages, pages.length)}.`;
    throw new CliError(problem, { code: 'E974', cause });
  }
}
