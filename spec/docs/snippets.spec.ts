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
