import { suggestRepairs, describeRepairs } from '../../../src/dispatch/admit/repairTexts';
import type { ArgumentRepair } from '../../../src/value/ToolCall';

const numbers = (count: number): readonly ArgumentRepair[] =>
  Array.from({ length: count }, (_, index) => ({ path: `list[${String(index)}]`, kind: 'number-text' }));
const named = (count: number): readonly string[] =>
  numbers(count).map(({ path }) => `${path}: a number written as a string`);

describe('a note on repairs', () => {
  test('a note on repairs names ten of them, and the number of the others', () => {
    expect(suggestRepairs(numbers(10), {}, true)).toBe(`They would be right but for this: ${named(10).join('; ')}.`);
    expect(describeRepairs(numbers(12))).toBe(
      `[The arguments were not quite right, and were read as they were meant: ${named(10).join('; ')}; and 2 more. ` +
        'Send them as the schema says.]',
    );
  });

  test('a note on repairs cuts a long path, and shows no arguments that are long', () => {
    const at = (length: number) => suggestRepairs([{ path: 'p'.repeat(length), kind: 'boolean-text' }], {}, true);
    expect(at(80)).toContain(` ${'p'.repeat(80)}: a boolean`);
    expect(at(200)).toContain(` ${'p'.repeat(80)}…: a boolean`);
    const meant = (length: number) => suggestRepairs(numbers(1), { text: 'x'.repeat(length) }, false);
    expect(meant(100)).toContain('Corrected:\n{"text":"xxx');
    expect(meant(4_000)).toBe('They would be right but for this: list[0]: a number written as a string.');
  });
});
