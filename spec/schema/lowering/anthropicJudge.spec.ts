import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import fc from 'fast-check';
import type { Constructor, JsonSchema } from 'toolwright';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { lowerSchema, type LoweredSchema } from '../../../src/schema/lowering/lowerSchema';
import { mapChildren } from '../../../src/schema/lowering/listChildren';
import { shapeOf } from '../reading';
import { anyClass, classes } from './classes';

// The conversion of the official client moves what strict tools cannot say into the description, as JSON. It knows nothing of
// us; whatever we have lowered, it must leave alone.

const lowered = (type: Constructor): LoweredSchema =>
  lowerSchema(writeClassSchema(shapeOf(type)), 'anthropic', { strict: true });

/**
 * The client leaves out a `type` next to `enum` and `const`, which imply it. The provider takes both forms, its own
 * examples have the type, and models read it: we keep it.
 */
function withoutLiteralTypes(schema: JsonSchema): JsonSchema {
  const { type, ...others } = mapChildren(schema, withoutLiteralTypes);
  return 'enum' in schema || 'const' in schema || type === undefined ? others : { ...others, type };
}

const cannotBeStrict = ['Maps', 'Anything', 'Leaf', 'Husband'];

function leavesAlone({ schema }: LoweredSchema): void {
  expect(transformJSONSchema(schema)).toEqual(withoutLiteralTypes(schema));
}

describe('ADPT-09: the client of Anthropic', () => {
  test.each(Object.entries(classes).filter(([name]) => !cannotBeStrict.includes(name)))(
    'would not change a strict %s',
    (_name, type) => {
      const made = lowered(type);
      expect(made.strict).toBe(true);
      leavesAlone(made);
    },
  );

  test.each(cannotBeStrict)(
    'the client of Anthropic receives %s without strict mode, for a reason that is reported',
    (name) => {
      const made = lowered(classes[name]!);
      expect(made.strict).toBe(false);
      expect(made.schema).toEqual(writeClassSchema(shapeOf(classes[name]!)));
      expect(made.losses.map(({ became }) => became)).toContain('plain');
    },
  );

  test('ADPT-09: the client of Anthropic says the same of random classes', () => {
    let strict = 0;
    fc.assert(
      fc.property(anyClass, (type) => {
        const made = lowered(type);
        expect(made.losses.some(({ became }) => became === 'plain')).toBe(!made.strict);
        if (!made.strict) return;
        strict++;
        leavesAlone(made);
      }),
      { numRuns: 200 },
    );
    expect(strict).toBeGreaterThan(80);
  });
});
