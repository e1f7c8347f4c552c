import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DECLARATIONS, describeOption, optionsOf, optionsPage } from '../support/optionsPage.js';

const page = join(__dirname, '../../docs/options.md');

describe('docs/options.md', () => {
  it('docs/options.md says what the declarations say (UPDATE_DOCS=1 writes it)', () => {
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, optionsPage());
    expect(readFileSync(page, 'utf8')).toBe(optionsPage());
  });

  it('docs/options.md has a sentence for every option', () => {
    const silent = DECLARATIONS.flatMap(([, declaration]) => optionsOf(declaration)).filter(
      ({ meaning }) => meaning === '',
    );
    expect(silent).toEqual([]);
  });

  it('the links of docs/options.md to other options lead to their headings', () => {
    const text = optionsPage();
    const used = new Map<string, number>();
    const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
      const slug = heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-');
      const count = used.get(slug) ?? 0;
      used.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${String(count)}`;
    });
    const links = [...text.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((anchor = '') => !anchors.includes(anchor))).toEqual([]);
  });

  it('the page names the version that brought an option, if a tag says so', () => {
    const option = {
      name: 'batch',
      declaredBy: 'Limits',
      type: 'number',
      isRequired: false,
      meaning: 'Calls at once.',
    };
    const facts = { defaultValue: '`4`', example: 'batch: 8', since: '0.2.0' };
    expect(describeOption(Object.assign(option, facts))).toBe(
      '### batch\n\n`number` · default: `4` · since 0.2.0\n\nCalls at once.\n\n```ts\nbatch: 8\n```',
    );
  });

  it('docs/options.md has the options of interfaces that are extended, in full, in part, or without some', () => {
    const names = (declaration: string): readonly string[] => optionsOf(declaration).map(({ name }) => name);
    expect(names('SectionOptions')).toEqual(expect.arrayContaining(['title', 'requiresApproval', 'timeoutMs']));
    expect(names('ToolwrightModuleOptions')).toEqual(expect.arrayContaining(['requestFor', 'approver']));
    expect(names('ToolwrightModuleOptions')).not.toContain('container');
  });
});
