import { readFileSync, writeFileSync } from 'node:fs';
import { errorsFile, errorsPage } from '../support/errorPages.js';

it('docs/errors.md has every code with its remedy (npm run docs writes them)', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(errorsFile, errorsPage());
  expect(readFileSync(errorsFile, 'utf8')).toBe(errorsPage());
});
