import { IsInt, IsNotEmpty, IsOptional, Matches, Max, MaxLength, Min, MinLength } from 'class-validator';
import fc from 'fast-check';
import { Param, type Constructor, type ParamOptions } from 'toolwright';
import type { TypeReference } from 'toolwright/types';

/** A type of a property: how it is declared, and values that are right for it. */
interface Kind {
  readonly type: TypeReference;
  readonly options: ParamOptions;
  readonly decorators: readonly PropertyDecorator[];
  readonly good: fc.Arbitrary<unknown>;
  /** True if the value may be an initial value. */
  readonly plain: boolean;
}

/** A class that was made at run time, and values for it: right ones, nearly right ones, and nonsense. */
interface GeneratedClass {
  readonly type: Constructor;
  readonly values: fc.Arbitrary<unknown>;
}

const kind = (type: TypeReference, good: fc.Arbitrary<unknown>, more: Partial<Kind> = {}): Kind => ({
  type,
  options: { type },
  decorators: [],
  plain: true,
  good,
  ...more,
});
const shortText = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('', '😀', 'né'));
const real = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -9, max: 9 }));
const within = fc.integer({ min: 2, max: 6 });
const sized = fc.string({ minLength: 2, maxLength: 4 });
// Made once: an arbitrary of a pattern costs more than most of its values.
const letters = fc.stringMatching(/^[a-c]{1,3}$/);
const ticket = fc.stringMatching(/^#\d$/);
const iso = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString());

const scalars: readonly (() => Kind)[] = [
  () => kind(String, shortText),
  () => kind(String, sized, { options: { type: String, minLength: 2, maxLength: 4 } }),
  () => kind(String, sized, { decorators: [MinLength(2), MaxLength(4), IsNotEmpty()] }),
  () => kind(String, letters, { options: { type: String, pattern: /^[a-c]+$/ } }),
  () => kind(String, ticket, { decorators: [Matches(/^#\d$/)] }),
  () => kind(String, fc.constantFrom('ann@example.org'), { options: { type: String, format: 'email' } }),
  () => kind(Number, real),
  () => kind(Number, within, { options: { type: Number, min: 2, max: 6 } }),
  () => kind(Number, within, { options: { type: Number, integer: true, min: 2 }, decorators: [Max(6), Min(1)] }),
  () => kind(Number, fc.integer(), { decorators: [IsInt()] }),
  () => kind('integer', fc.integer()),
  () => kind(Boolean, fc.boolean()),
  () => kind({ enum: ['a', 'b'] }, fc.constantFrom('a', 'b'), { options: { enum: ['a', 'b'] } }),
  () =>
    kind({ enum: [1, 'a', null] }, fc.constantFrom(1, 'a', null), { options: { enum: [1, 'a', null] }, plain: false }),
  () => kind(Date, iso, { plain: false }),
  () => kind('any', fc.jsonValue({ maxDepth: 1 }), { plain: false }),
];

function nestedKinds(depth: number): readonly fc.Arbitrary<Kind>[] {
  const inner = kinds(depth - 1);
  return [
    fc.tuple(inner, fc.nat(2), fc.boolean()).map(([{ type, good, plain }, minItems, bounded]) => {
      const options = bounded ? { type: [type] as const, minItems, maxItems: 3 } : { type: [type] as const };
      return kind([type], fc.array(good, { minLength: minItems, maxLength: 3 }), { options, plain });
    }),
    fc
      .constant(undefined)
      .map(() => kind([String], fc.array(sized, { maxLength: 3 }), { decorators: [MinLength(2, { each: true })] })),
    inner.map(({ type, good }) =>
      kind({ record: type }, fc.dictionary(shortText, good, { maxKeys: 2 }), { plain: false }),
    ),
    fc
      .tuple(inner, inner)
      .map(([first, second]) =>
        kind({ tuple: [first.type, second.type] }, fc.tuple(first.good, second.good), { plain: false }),
      ),
    fc
      .tuple(inner, inner)
      .map(([first, second]) =>
        kind({ oneOf: [first.type, second.type] }, fc.oneof(first.good, second.good), { plain: false }),
      ),
    generatedClasses(depth - 1).map(({ type, values }) => kind(type, values, { plain: false })),
  ];
}

function kinds(depth: number): fc.Arbitrary<Kind> {
  const scalar = fc.nat(scalars.length - 1).map((index) => scalars[index]!());
  return depth <= 0 ? scalar : fc.oneof({ arbitrary: scalar, weight: 4 }, ...nestedKinds(depth));
}

interface Field {
  readonly property: string;
  readonly wire: string;
  readonly kind: Kind;
  readonly presence: 'required' | 'optional' | 'isOptional' | 'default' | 'initial';
  readonly nullable: boolean;
  readonly value: unknown;
}

const fields = (depth: number): fc.Arbitrary<readonly Field[]> =>
  fc
    .array(
      fc.tuple(
        kinds(depth),
        fc.constantFrom<Field['presence']>('required', 'required', 'optional', 'isOptional', 'default', 'initial'),
        fc.boolean(),
        fc.boolean(),
      ),
      { maxLength: 4 },
    )
    .chain((drafts) =>
      fc.tuple(
        ...drafts.map(([made, presence, nullable, renamed], index) =>
          made.good.map((value): Field => ({
            property: `p${index}`,
            wire: renamed ? `wire-${index}` : `p${index}`,
            kind: made,
            presence: made.plain ? presence : presence === 'default' || presence === 'initial' ? 'optional' : presence,
            nullable: nullable && index % 2 === 0,
            value,
          })),
        ),
      ),
    );

function declare(all: readonly Field[]): Constructor {
  const initial = all.filter(({ presence }) => presence === 'initial');
  class Made {
    constructor() {
      for (const { property, value } of initial) Object.assign(this, { [property]: structuredClone(value) });
    }
  }
  for (const { property, wire, kind: made, presence, nullable, value } of all) {
    Param({
      ...made.options,
      ...(wire === property ? {} : { name: wire }),
      ...(presence === 'optional' ? { optional: true } : presence === 'default' ? { default: value } : {}),
      ...(nullable ? { nullable } : {}),
    })(Made.prototype, property);
    if (presence === 'isOptional') IsOptional()(Made.prototype, property);
    for (const decorate of made.decorators) decorate(Made.prototype, property);
  }
  return Made;
}

const ABSENT = Symbol('absent');
const nonsense = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(Infinity, Number.NaN, undefined, 1e21));

function valuesFor(all: readonly Field[]): fc.Arbitrary<unknown> {
  const entries = all.map(({ kind: { good }, presence }) =>
    fc.oneof(
      { arbitrary: good, weight: 14 },
      { arbitrary: fc.constant(ABSENT), weight: presence === 'required' ? 1 : 6 },
      { arbitrary: fc.constant(null), weight: 2 },
      { arbitrary: nonsense, weight: 1 },
    ),
  );
  const extra = fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 12 },
    { arbitrary: fc.constantFrom('zip', 'p9', '__proto__', 'constructor', 'toString'), weight: 1 },
  );
  return fc.tuple(fc.tuple(...entries), extra).map(([made, key]) => {
    const value: Record<string, unknown> = {};
    for (const [index, entry] of made.entries()) if (entry !== ABSENT) value[all[index]!.wire] = entry;
    if (key !== undefined) Object.defineProperty(value, key, { value: 1, enumerable: true, configurable: true });
    return value;
  });
}

/** Classes with up to four properties, nested up to `depth` levels. */
function generatedClasses(depth: number): fc.Arbitrary<GeneratedClass> {
  return fields(depth).map((all) => ({ type: declare(all), values: valuesFor(all) }));
}

/** A class with eight values for it. */
export const classWithValues: fc.Arbitrary<readonly [Constructor, readonly unknown[]]> = generatedClasses(2).chain(
  ({ type, values }) => fc.tuple(fc.constant(type), fc.array(values, { minLength: 8, maxLength: 8 })),
);
