import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../../src/builder/rules.js';

const folder = join(__dirname, '../../src/builder/rule');

describe('rules', () => {
  test('every rule that a file under rule/ exports is in the list, once', () => {
    const declared = readdirSync(folder).flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/^export const (\w+): Rule\b/gm)].map(([, name]) => name),
    );
    expect(declared.length).toBeGreaterThan(10);
    expect(rules.map(({ name }) => name).sort()).toEqual(declared.sort());
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
