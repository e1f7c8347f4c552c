import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { optionsOf, optionsPage } from '../support/optionsPage.js';

const page = join(__dirname, '../../docs/options.md');

describe('docs/options.md', () => {
  it('docs/options.md says what the declarations say (UPDATE_DOCS=1 writes it)', () => {
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, optionsPage());
    expect(readFileSync(page, 'utf8')).toBe(optionsPage());
  });

  it('docs/options.md has a sentence for every option', () => {
    const silent = optionsPage()
      .split('\n')
      .filter((line) => line.endsWith('|  |'));
    expect(silent).toEqual([]);
  });

  it('docs/options.md has the options of interfaces that are extended, in full, in part, or without some', () => {
    const names = (declaration: string): readonly string[] => optionsOf(declaration).map(({ name }) => name);
    expect(names('SectionOptions')).toEqual(expect.arrayContaining(['title', 'requiresApproval', 'timeoutMs']));
    expect(names('ToolwrightModuleOptions')).toEqual(expect.arrayContaining(['requestFor', 'approver']));
    expect(names('ToolwrightModuleOptions')).not.toContain('container');
  });
});
