import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rules } from '../../src/builder/rules.js';

const folder = join(__dirname, '../../src/builder/rule');

describe('rules', () => {
  test('every file under rule/ that exports a rule of its name is in the list, once', () => {
    const files = readdirSync(folder).map((file) => basename(file, '.ts'));
    const named = files.filter((name) =>
      readFileSync(join(folder, `${name}.ts`), 'utf8').includes(`export const ${name}: Rule`),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(rules.map(({ name }) => name).sort()).toEqual(named.sort());
    expect(new Set(rules).size).toBe(rules.length);
  });

  test('a prompt without sections passes them all', () => {
    const draft = {
      type: class Desk {},
      options: { ns: 'support', key: 'desk', sections: [] },
      toolTexts: 'portable' as const,
      fieldNames: 'as-is' as const,
      sections: [],
      allSections: [],
      allTools: [],
      output: null,
      findings: [],
    };
    expect(rules.flatMap((rule) => rule(draft))).toEqual([]);
  });
});
