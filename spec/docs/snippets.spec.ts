import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingFrom, pages, snippetsOf } from '../support/snippets.js';

/** Pages whose blocks of TypeScript are all taken from samples. */
const taught = [
  'llms.txt',
  'skills/toolwright/SKILL.md',
  'skills/toolwright/references/patterns.md',
  'docs/prompts.md',
  'docs/tutorial-summaries.md',
];

test.each(taught)('%s shows only code of a sample', (page) => {
  const shown = snippetsOf(page).filter(({ language }) => language === 'ts');
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter(({ source }) => source === undefined)).toEqual([]);
});

test.each(pages.flatMap(snippetsOf).filter(({ source }) => source !== undefined))(
  '$page shows the code of $source',
  (snippet) => {
    expect(missingFrom(snippet)).toEqual([]);
  },
);

test.each(pages)('%s closes each code block that it opens', (page) => {
  const fences = readFileSync(join(__dirname, '../..', page), 'utf8').match(/^\s*```.*$/gm) ?? [];
  // Every second one is a bare closing fence.
  expect(fences.filter((fence, index) => index % 2 === 1 && fence.trim() !== '```')).toEqual([]);
  expect(fences.length % 2).toBe(0);
});
