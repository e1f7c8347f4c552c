import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** A code block of a page; `<!-- samples/…/main.ts -->` on the line above, or a file of spec/, packages/ or recipes/, says from which file it is taken. */
export interface Snippet {
  readonly page: string;
  readonly language: string;
  readonly source: string | undefined;
  readonly code: string;
}

/** The pages for readers: README, llms.txt, the skill, docs/, and the pages of samples and packages. */
export const pages: readonly string[] = [
  'README.md',
  'llms.txt',
  'skills/toolwright/SKILL.md',
  'skills/toolwright/references/patterns.md',
  ...['docs', 'docs/migration'].flatMap((folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`)),
  ...['samples', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/README.md`),
  ),
].filter((page) => /\.(md|txt)$/.test(page) && existsSync(join(root, page)));

export function snippetsOf(page: string): readonly Snippet[] {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(
    /(?:^<!-- (?<source>(?:samples|spec|packages|recipes)\/\S+) -->\n\n?)?^```(?<language>\w*)\n(?<code>[\s\S]*?)^```$/gm,
  );
  return [...blocks].map(({ groups = {} }) => ({
    page,
    language: groups['language'] ?? '',
    source: groups['source'],
    code: groups['code'] ?? '',
  }));
}

/** The parts of a snippet that are not in its source, in this order; `…` on a line of its own marks an omission. */
export function missingFrom({ source = '', code }: Snippet): readonly string[] {
  const text = unindented(readFileSync(join(root, source), 'utf8'));
  let from = 0;
  return code.split(/^\s*(?:\/\/ )?…\s*$/m).filter((part) => {
    const at = text.indexOf(unindented(part), from);
    from = Math.max(from, at);
    return at < 0;
  });
}

/** Without indentation and blank lines: a snippet may be lifted out of a function. */
function unindented(code: string): string {
  return code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}
