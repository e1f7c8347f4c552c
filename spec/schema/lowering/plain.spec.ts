import { Matches } from 'class-validator';
import { Param } from 'toolwright';
import type { SchemaOptions, SchemaTarget } from 'toolwright/adapters';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { lowerSchema } from '../../../src/schema/lowering/lowerSchema';
import { shapeOf } from '../reading';
import { classes } from './classes';

describe('a schema that is sent as it is', () => {
  test.each<[SchemaTarget, SchemaOptions | undefined]>([
    ['json-schema', undefined],
    ['json-schema', { strict: true }],
    ['mcp', undefined],
    ['mcp', { strict: true }],
    ['openai', undefined],
    ['openai', { strict: false }],
    ['anthropic', undefined],
  ])('the schema for %s %j is the same object, and nothing is lost', (target, options) => {
    for (const type of Object.values(classes)) {
      const schema = writeClassSchema(shapeOf(type));
      const made = lowerSchema(schema, target, options);
      expect(made).toEqual({ schema, strict: false, losses: [] });
      expect(made.schema).toBe(schema);
    }
  });

  test('a plain schema for OpenAI still describes the lookaround patterns, which it refuses in either mode', () => {
    class Params {
      @Param('Password') @Matches(/^(?=.*\d)/) @Matches(/^a/) both!: string;
      @Param({ type: [String] }) @Matches(/^(?!b)a/, { each: true }) back!: string[];
    }
    expect(lowerSchema(writeClassSchema(shapeOf(Params)), 'openai')).toMatchObject({
      schema: {
        properties: {
          both: { pattern: '^a', description: 'Password (matching the regular expression ^(?=.*\\d))' },
          back: { type: 'array', items: { description: 'Matching the regular expression ^(?!b)a' } },
        },
      },
      losses: [
        { path: '/properties/both', keyword: 'allOf', value: [{ pattern: '^(?=.*\\d)' }], became: 'description' },
        { path: '/properties/back/items', keyword: 'pattern', value: '^(?!b)a', became: 'description' },
      ],
    });
    expect(JSON.stringify(lowerSchema(writeClassSchema(shapeOf(Params)), 'openai').schema)).not.toContain('allOf');
  });
});
