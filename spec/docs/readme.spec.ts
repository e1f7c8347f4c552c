import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'samples'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('README.md'))
    .map((file) => join('samples', file)),
];

interface Snippet {
  readonly source: string;
  readonly code: string;
}

/** The code blocks of a page that name their source: `<!-- samples/…/main.ts -->` on the line above. */
function snippetsOf(page: string): readonly Snippet[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/<!-- (?<source>samples\/\S+\.ts) -->\n```ts\n(?<code>[\s\S]*?)```/g)].map(({ groups }) => ({
    source: groups?.['source'] ?? '',
    code: groups?.['code'] ?? '',
  }));
}

/** Without indentation and blank lines: a snippet may be lifted out of a function. */
const lines = (code: string): string =>
  code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');

describe('README.md', () => {
  it('shows only code that stands in a sample', () => {
    const shown = readFileSync(join(root, 'README.md'), 'utf8').match(/```ts\n/g) ?? [];
    expect(shown.length).toBeGreaterThan(0);
    expect(snippetsOf('README.md')).toHaveLength(shown.length);
  });

  it.each(pages.flatMap((page) => snippetsOf(page).map((snippet) => ({ page, ...snippet }))))(
    '$page shows what stands in $source',
    ({ source, code }) => {
      // `…` stands for lines that were left out.
      const sample = lines(readFileSync(join(root, source), 'utf8'));
      let from = 0;
      for (const part of code.split(/^\s*\/\/ …\s*$/m)) {
        const at = sample.indexOf(lines(part), from);
        expect({ part, stands: at >= 0 }).toEqual({ part, stands: true });
        from = at;
      }
    },
  );

  it('links only to files that exist', () => {
    const links = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/\]\((?!https?:)(?<path>[^)#]+)/g)];
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(() => readdirOrFile(join(root, link.groups?.['path'] ?? ''))).not.toThrow();
  });
});

function readdirOrFile(path: string): void {
  try {
    readFileSync(path);
  } catch {
    readdirSync(path);
  }
}
