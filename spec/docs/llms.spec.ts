import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import readPages from '../../site/readPages.cjs';

const file = join(__dirname, '../../llms.txt');

/** The groups of llms.txt: its sections between "Documents" and "Samples". The facts and examples are written by hand. */
const GROUPS = /(?<=^## Documents\n[^#]*)^## [^]*?(?=^## Samples$)/m;

/** llms.txt with the pages of docs/README.md. */
function llmsText(): string {
  const groups = readPages().map(({ title, pages }) => {
    const rows = pages.map((page) => `- [${page.title}](docs/${page.path}): ${page.about}`);
    return `## ${title}\n\n${rows.join('\n')}\n\n`;
  });
  return readFileSync(file, 'utf8').replace(GROUPS, () => groups.join(''));
}

describe('llms.txt', () => {
  it('llms.txt lists the pages of docs/README.md with their sentences (npm run docs writes them)', () => {
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, llmsText());
    expect(readFileSync(file, 'utf8')).toBe(llmsText());
  });

  it('llms.txt has every page once', () => {
    const text = readFileSync(file, 'utf8');
    const pages = readPages().flatMap((group) => group.pages);
    expect(text).toMatch(GROUPS);
    expect(pages.length).toBeGreaterThan(40);
    expect(pages.filter(({ path }) => text.split(`](docs/${path})`).length !== 2)).toEqual([]);
  });
});
