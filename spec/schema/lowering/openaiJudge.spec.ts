import fc from 'fast-check';
import { toStrictJsonSchema } from 'openai/lib/transform';
import type { Constructor, JsonSchema } from 'toolwright';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { lowerSchema, type LoweredSchema } from '../../../src/schema/lowering/lowerSchema';
import { requestProblems } from '../../../packages/openai/spec/support/requestRules';
import { shapeOf } from '../reading';
import { anyClass, classes } from './classes';

// Two judges that know nothing of us: the conversion of the official client, which throws at what strict mode cannot say and
// changes what is not strict yet; and the rules of the provider as far as they are published.

const lowered = (type: Constructor, strict: boolean): LoweredSchema =>
  lowerSchema(writeClassSchema(shapeOf(type)), 'openai', { strict });

const problemsOf = ({ schema, strict }: LoweredSchema): readonly unknown[] =>
  requestProblems({
    model: 'm',
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'function', function: { name: 'use', description: 'Use it.', parameters: schema, strict } }],
  });

const strictly = (schema: JsonSchema): unknown => toStrictJsonSchema(structuredClone(schema));

const cannotBeStrict = ['Maps', 'Anything'];

describe('ADPT-09: the client of OpenAI', () => {
  test.each(Object.entries(classes).filter(([name]) => !cannotBeStrict.includes(name)))(
    'would not change a strict %s, and its provider takes it',
    (_name, type) => {
      const made = lowered(type, true);
      expect(made.strict).toBe(true);
      expect(strictly(made.schema)).toEqual(made.schema);
      expect(problemsOf(made)).toEqual([]);
    },
  );

  test.each(cannotBeStrict)(
    'the client of OpenAI, or its provider, refuses %s, which is sent without strict mode for a reported reason',
    (name) => {
      const source = writeClassSchema(shapeOf(classes[name]!));
      // The client lets a schema without a type through; the provider does not.
      const refused = name === 'Anything' ? problemsOf({ schema: source, strict: true, losses: [] }) : [];
      if (name === 'Anything') expect(refused).not.toEqual([]);
      else expect(() => strictly(source)).toThrow();
      const made = lowered(classes[name]!, true);
      expect(made.strict).toBe(false);
      expect(made.losses.map(({ became }) => became)).toContain('plain');
      expect(problemsOf(made)).toEqual([]);
    },
  );

  test.each(Object.entries(classes))('a plain %s is one that the provider takes', (_name, type) => {
    expect(problemsOf(lowered(type, false))).toEqual([]);
  });

  test('ADPT-09: the client of OpenAI says the same of random classes', () => {
    let strict = 0;
    fc.assert(
      fc.property(anyClass, (type) => {
        const made = lowered(type, true);
        expect(problemsOf(made)).toEqual([]);
        expect(made.losses.some(({ became }) => became === 'plain')).toBe(!made.strict);
        if (!made.strict) return;
        strict++;
        expect(strictly(made.schema)).toEqual(made.schema);
      }),
      { numRuns: 200 },
    );
    expect(strict).toBeGreaterThan(80);
  });
});
