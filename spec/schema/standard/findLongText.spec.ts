import { findLongText } from '../../../src/schema/standard/findLongText';

const LONGEST = 100_000;

describe('texts that a pattern of another library is matched with', () => {
  const schema = {
    type: 'object',
    properties: {
      free: { type: 'string' },
      mail: { type: 'string', format: 'email' },
      codes: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/code' }, { type: 'null' }] } },
    },
    $defs: { code: { type: 'string', pattern: '^a+$' } },
  };

  test.each<[string, object, string | undefined]>([
    ['a text with a format, of the longest length', { mail: 'a'.repeat(LONGEST) }, undefined],
    ['a text with a format, longer', { mail: 'a'.repeat(LONGEST + 1) }, 'mail'],
    ['an item with a pattern behind a reference', { codes: ['a', 'a'.repeat(LONGEST + 1)] }, 'codes[1]'],
    ['a text without either', { free: 'a'.repeat(9 * LONGEST) }, undefined],
  ])('findLongText reads %s and finds %p', (_name, value, path) => {
    expect(findLongText(schema, value)?.path).toBe(path);
  });

  test('the message has both lengths', () => {
    expect(findLongText(schema, { mail: 'a'.repeat(LONGEST + 1) })).toEqual({
      kind: 'constraint',
      path: 'mail',
      message: 'expected at most 100000 characters for its pattern or format, got 100001',
    });
  });

  test('a key that is as long is refused, wherever it is, and the path is short', () => {
    const issue = findLongText(schema, { free: [{ ['k'.repeat(LONGEST + 1)]: 1 }] });
    expect(issue?.message).toBe('expected at most 100000 characters in a key, got 100001');
    expect(issue?.path.length).toBeLessThan(500);
  });
});
