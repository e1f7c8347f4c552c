import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsPage } from '../support/errorPages.js';

const page = join(__dirname, '../../docs/errors.md');

it('docs/errors.md says what the table of codes says (npm run docs writes it)', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, errorsPage());
  expect(readFileSync(page, 'utf8')).toBe(errorsPage());
});
