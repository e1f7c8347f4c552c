import fc from 'fast-check';
import type { Constructor, JsonSchema } from 'toolwright';
import type { SchemaOptions, SchemaTarget } from 'toolwright/adapters';
import type { SchemaLoss } from '../../../src/interface/ModelAdapter';
import type { Parser } from '../../../src/metadata/ClassShape';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { lowerSchema } from '../../../src/schema/lowering/lowerSchema';
import { createParser } from '../../../src/schema/parse/parser';
import { expectEqual } from '../../support/expectEqual';
import { shapeOf } from '../reading';
import { withNulls, withoutNulls } from './absence';
import { anyClass } from './classes';
import { compiled } from './compiled';
import { valuesOf } from './valuesOf';

interface Case {
  readonly source: JsonSchema;
  readonly schema: JsonSchema;
  readonly losses: readonly SchemaLoss[];
  /** Every property is required, and null means absence. */
  readonly nulls: boolean;
  readonly parse: Parser;
  /** Values that a model may send. */
  readonly values: readonly unknown[];
}

/** A class, lowered, with values that the lowered schema takes. */
function cases(target: SchemaTarget, options: SchemaOptions): fc.Arbitrary<Case> {
  return anyClass.chain((type: Constructor) => {
    const shape = shapeOf(type);
    const source = writeClassSchema(shape);
    const { schema, strict, losses } = lowerSchema(source, target, options);
    const nulls = strict && target === 'openai';
    return fc
      .array(valuesOf(schema), { minLength: 4, maxLength: 4 })
      .map((values) => ({ source, schema, losses, nulls, parse: createParser(shape), values }));
  });
}

/** The keywords of the source that refuse a value, as `/properties/a/minLength`. */
function refusals(plain: ReturnType<typeof compiled>, value: unknown): readonly string[] {
  return plain(value)
    ? []
    : (plain.errors ?? []).map(({ schemaPath }) => withoutDefinition(decodeURIComponent(schemaPath)));
}

/** The losses in the same form. A property that is no longer required is missed by the object. */
function reportedPlaces(losses: readonly SchemaLoss[]): readonly string[] {
  return losses.map(({ path, keyword }) =>
    withoutDefinition(`${keyword === 'required' ? path.replace(/\/properties\/[^/]+$/, '') : path}/${keyword}`),
  );
}

// The validator names places in a recursive definition from there, those in any other from the root.
function withoutDefinition(place: string): string {
  return place.replace(/^#?(\/\$defs\/[^/]+)?/, '');
}

describe.each<[SchemaTarget, SchemaOptions]>([
  ['json-schema', {}],
  ['openai', { strict: true }],
  ['anthropic', { strict: true }],
  ['gemini', {}],
])('ADPT-09: random classes for %s %j', (target, options) => {
  test('arguments of the model parse as if nothing had been lowered, and whatever the class takes can be sent', () => {
    let parsed = 0;
    fc.assert(
      fc.property(cases(target, options), ({ source, schema, losses, nulls, parse, values }) => {
        const [fits, plain] = [compiled(schema), compiled(source)];
        const reported = reportedPlaces(losses);
        for (const sent of values) {
          expectEqual([sent, fits(sent), fits.errors], [sent, true, null]);
          const value = withoutNulls(source, sent);
          const outcome = parse(sent);
          expectEqual(outcome, parse(value));
          if (outcome.ok) parsed++;

          // What the dialect lets through and the class does not is explained by the report.
          const places = refusals(plain, value);
          const explained = places.some((place) => reported.some((loss) => `${place}/`.startsWith(`${loss}/`)));
          expectEqual([value, places, places.length === 0 || explained], [value, places, true]);

          // Where null is a value, absence cannot be sent; that is reported as well.
          if (!outcome.ok || losses.some(({ became }) => became === 'required')) continue;
          const said = nulls ? withNulls(source, value) : value;
          expectEqual([said, fits(said), fits.errors], [said, true, null]);
        }
      }),
      { numRuns: 50 },
    );
    expect(parsed).toBeGreaterThan(100);
  }, 60_000);
});
