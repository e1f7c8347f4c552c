import fc from 'fast-check';
import type { Constructor } from 'toolwright';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { lowerSchema } from '../../../src/schema/lowering/lowerSchema';
import { shapeOf } from '../reading';
import { anyClass, classes } from './classes';
import { compiled } from './compiled';

// Ajv in strict mode refuses a keyword that it does not know, a rule beside a type that it cannot apply to, a tuple without
// its length, and a required property that is not declared: all of them legal, and all of them mistakes.

const draft = (type: Constructor): object => lowerSchema(writeClassSchema(shapeOf(type)), 'json-schema').schema;

describe('Ajv in strict mode', () => {
  test.each(Object.entries(classes))('Ajv in strict mode takes the schema of %s', (_name, type) => {
    expect(() => compiled(draft(type), { strict: true })).not.toThrow();
  });

  test('Ajv in strict mode takes the schemas of random classes', () => {
    fc.assert(
      fc.property(anyClass, (type) => {
        expect(() => compiled(draft(type), { strict: true })).not.toThrow();
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});

describe.each([
  ['openai', true],
  ['anthropic', true],
  ['gemini', false],
] as const)('Ajv in strict mode, for %s', (target, strict) => {
  test.each(Object.entries(classes))('Ajv in strict mode takes the lowered schema of %s', (_name, type) => {
    const made = lowerSchema(writeClassSchema(shapeOf(type)), target, { strict });
    // A tool that cannot be had in strict mode is sent as it is.
    expect(() => compiled(made.schema, { strict: made.strict || target === 'gemini' })).not.toThrow();
  });
});
