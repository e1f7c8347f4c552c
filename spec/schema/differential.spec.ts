import { inspect, isDeepStrictEqual } from 'node:util';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, useContainer } from 'class-validator';
import fc from 'fast-check';
import { PromptValidationError, type Constructor } from 'toolwright';
import { parse, ParseError } from 'toolwright/schema';
import { readClass } from '../../src/schema/read/readClass';
import { compileFastParser, DECLINED } from '../../src/schema/parse/compileFastParser';
import { FAILED } from './differential/composites';
import type { ClassRecipe } from './differential/Recipe';
import { classRecipe } from './differential/recipes';
import { Twins } from './differential/Twins';
import { valuesFor } from './differential/values';

// Our parse against class-transformer's plainToInstance and class-validator's validateSync themselves. Each random recipe is
// declared twice: as a user of ours writes it, and as one has to write it for the two libraries, so that they do what our
// contract adds to them. The additions are in differential/declareReference.ts (as decorators) and in differential/normalised.ts
// (what decorators cannot express); everything else has to agree, verdict and instance.

// class-validator goes through all decorated classes of the process and all rules that it ever made: with thousands of
// classes, that would take minutes. Its storage is emptied after each recipe, and its container is a map.
const instances = new Map<unknown, unknown>();
useContainer({
  get: <T>(type: new () => T): T => {
    const known = instances.get(type) ?? new type();
    instances.set(type, known);
    return known as T;
  },
});

function forgetClasses(): void {
  const storage = getMetadataStorage() as unknown as Readonly<Record<string, Map<unknown, unknown>>>;
  storage['validationMetadatas']?.clear();
  (defaultMetadataStorage as unknown as { clear: () => void }).clear();
  instances.clear();
}

const VALUES = 25;
const recipeWithValues: fc.Arbitrary<readonly [ClassRecipe, readonly unknown[]]> = classRecipe(2).chain((recipe) =>
  fc.tuple(fc.constant(recipe), fc.array(valuesFor(recipe), { minLength: VALUES, maxLength: VALUES })),
);

const show = (value: unknown): string => inspect(value, { depth: 12 });

/** The result of parse for a value: the instance, or its issues. */
function parsed(type: Constructor, value: unknown): { readonly instance: unknown; readonly issues: unknown } {
  try {
    return { instance: parse(type, value), issues: undefined };
  } catch (error) {
    if (error instanceof ParseError) return { instance: FAILED, issues: error.issues };
    throw error;
  }
}

interface Tally {
  pairs: number;
  accepted: number;
  fast: number;
  contradictory: number;
}

function compare(recipe: ClassRecipe, values: readonly unknown[], tally: Tally): void {
  const twins = new Twins();
  const type = twins.ours(recipe);
  const shape = readClass(type);
  const fast = compileFastParser(shape);
  for (const value of values) {
    const before = show(value);
    const expected = twins.judge(recipe, value);
    const { instance, issues } = parsed(type, value);
    const fail = (what: string): never => {
      throw new Error(
        `${what}\n${show({ value, recipe })}\ntheirs: ${show(expected)}\nours: ${show(issues ?? instance)}`,
      );
    };
    const isSame = (other: unknown): boolean => isDeepStrictEqual(twins.comparable(other), twins.comparable(expected));
    tally.pairs++;
    if (expected !== FAILED) tally.accepted++;
    if ((instance === FAILED) !== (expected === FAILED)) fail('the verdicts differ');
    if (!isSame(instance)) fail('the instances differ');
    if (show(value) !== before) fail('the value was changed');
    const quick = fast(value);
    if (quick === DECLINED) continue;
    tally.fast++;
    if (!isSame(quick)) fail(`the fast parser gave ${show(quick)}`);
  }
}

test('parse agrees with class-transformer and class-validator about whatever it is given', () => {
  const tally: Tally = { pairs: 0, accepted: 0, fast: 0, contradictory: 0 };
  fc.assert(
    fc.property(recipeWithValues, ([recipe, values]) => {
      try {
        compare(recipe, values, tally);
      } catch (error) {
        // A random default may contradict a random rule; such a class cannot be used at all.
        const isContradictory =
          error instanceof PromptValidationError && error.findings.every(({ code }) => code === 'E203');
        if (!isContradictory) throw error;
        tally.contradictory++;
      } finally {
        forgetClasses();
      }
    }),
    { numRuns: 480 },
  );
  const { pairs, accepted, fast, contradictory } = tally;
  expect(pairs).toBeGreaterThanOrEqual(10_000);
  expect(accepted).toBeGreaterThan(pairs / 5);
  expect(pairs - accepted).toBeGreaterThan(pairs / 5);
  // Classes with rare kinds are left to the slow parser.
  expect(fast).toBeGreaterThan(accepted / 2);
  expect(contradictory).toBeLessThan(pairs / 200);
}, 60_000);
