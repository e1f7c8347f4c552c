import fc from 'fast-check';
import type { JsonSchema } from 'toolwright';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { lowerSchema } from '../../../src/schema/lowering/lowerSchema';
import { shapeOf } from '../reading';
import { anyClass, classes } from './classes';
import { geminiProblems } from './geminiRules';

// There is no client of Gemini's that converts schemas; the judge is its reference, written down as rules.

describe('ADPT-09: the rules of Gemini', () => {
  test.each(Object.entries(classes))('the rules of Gemini accept %s', (_name, type) => {
    expect(geminiProblems(lowerSchema(writeClassSchema(shapeOf(type)), 'gemini').schema)).toEqual([]);
  });

  test('random classes keep the rules of Gemini', () => {
    fc.assert(
      fc.property(anyClass, (type) => {
        expect(geminiProblems(lowerSchema(writeClassSchema(shapeOf(type)), 'gemini').schema)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test.each<[string, JsonSchema]>([
    ['a keyword that is not listed', { properties: { a: { type: 'string', minLength: 1 } } }],
    ['an enum with null', { properties: { a: { enum: [null] } } }],
    ['words beside a reference', { properties: { a: { $ref: '#/$defs/A', title: 'A' } }, $defs: { A: {} } }],
    [
      'a definition that needs itself',
      { $defs: { A: { type: 'object', properties: { a: { items: { $ref: '#/$defs/A' } } }, required: ['a'] } } },
    ],
  ])('would not let %s through', (_what, schema) => {
    expect(geminiProblems({ type: 'object', ...schema })).toHaveLength(1);
  });
});
