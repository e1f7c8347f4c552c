import fc from 'fast-check';
import { otherSamples } from '../validators/otherSamples';
import { stringSamples } from '../validators/stringSamples';
import type { Held } from '../validators/ValidatorSample';
import { customSamples } from './customSamples';
import type { ClassRecipe, Condition, Field, Kind, Naming, Rule, Transformation } from './Recipe';
import { goodOf } from './values';

const samples = [...stringSamples, ...otherSamples, ...customSamples];
const of = (...on: readonly Held[]) => samples.filter((sample) => on.includes(sample.on));

const scalarKinds: readonly Kind[] = [
  { kind: 'string' },
  { kind: 'string' },
  { kind: 'number' },
  { kind: 'number' },
  { kind: 'integer' },
  { kind: 'boolean' },
  { kind: 'date' },
  { kind: 'enum', values: ['a', 'b'] },
  { kind: 'enum', values: [1, 'a', true] },
];
const scalar = fc.constantFrom(...scalarKinds);
const list = (items: Kind): Kind => ({ kind: 'array', items });

function nestedKind(depth: number): fc.Arbitrary<Kind> {
  // No reference names a union: only @Type does, on a property or a list.
  const inner = kindOf(depth - 1).filter(
    (kind) => kind.kind !== 'union' && !(kind.kind === 'array' && kind.items.kind === 'union'),
  );
  const recipe = classRecipe(depth - 1);
  const ofClass = recipe.map((made): Kind => ({ kind: 'class', recipe: made }));
  return fc.oneof(
    { arbitrary: ofClass, weight: 3 },
    { arbitrary: ofClass.map(list), weight: 3 },
    { arbitrary: fc.constant<Kind>({ kind: 'self' }), weight: 1 },
    {
      arbitrary: fc.tuple(unionKind(recipe), fc.boolean()).map(([kind, many]) => (many ? list(kind) : kind)),
      weight: 2,
    },
    { arbitrary: inner.map((values): Kind => ({ kind: 'record', values })), weight: 1 },
    { arbitrary: inner.map(list).map(list), weight: 1 },
    { arbitrary: fc.tuple(inner, inner).map((items): Kind => ({ kind: 'tuple', items })), weight: 1 },
    { arbitrary: fc.tuple(inner, inner).map((options): Kind => ({ kind: 'oneOf', options })), weight: 1 },
    { arbitrary: fc.constant<Kind>({ kind: 'any' }), weight: 1 },
  );
}

function unionKind(recipe: fc.Arbitrary<ClassRecipe>): fc.Arbitrary<Kind> {
  return fc.tuple(recipe, recipe, fc.boolean()).map(([one, other, keep]): Kind => ({
    kind: 'union',
    subs: [
      ['one', one],
      ['other', other],
    ],
    keep,
  }));
}

function kindOf(depth: number): fc.Arbitrary<Kind> {
  if (depth <= 0) return scalar;
  return fc.oneof(
    { arbitrary: scalar, weight: 6 },
    { arbitrary: scalar.map(list), weight: 3 },
    { arbitrary: nestedKind(depth), weight: 3 },
  );
}

const held = new Map<Kind['kind'], Held>([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['record', 'record'],
]);

/** Rules that a property of the kind may have. */
function rulesFor(kind: Kind, most: number): fc.Arbitrary<readonly Rule[]> {
  const options = fc.constantFrom<Rule['options']>('none', 'none', 'none', 'message', 'groups', 'always');
  const items = kind.kind === 'array' ? kind.items.kind : undefined;
  const own = held.get(kind.kind) ?? (items === 'string' ? 'strings' : items === 'number' ? 'numbers' : undefined);
  const each = items === undefined ? undefined : held.get(items);
  const choices = [
    ...(own === undefined ? [] : of(own)).map((sample) => ({ sample, each: false })),
    ...(each === undefined ? [] : of(each)).map((sample) => ({ sample, each: true })),
  ];
  if (choices.length === 0) return fc.constant([]);
  const rule = fc
    .tuple(fc.constantFrom(...choices), options)
    .map(([choice, said]): Rule => ({ ...choice, options: said }));
  return fc.oneof(
    { arbitrary: fc.constant([]), weight: 2 },
    { arbitrary: fc.array(rule, { minLength: 1, maxLength: 1 }), weight: 6 },
    { arbitrary: fc.array(rule, { maxLength: most }), weight: 1 },
  );
}

const isPlain = (kind: Kind): boolean =>
  kind.kind === 'array' ? isPlain(kind.items) : ['string', 'number', 'integer', 'boolean', 'enum'].includes(kind.kind);
const isScalar = (kind: Kind): boolean => isPlain(kind) && kind.kind !== 'array';

function transformationFor(kind: Kind): fc.Arbitrary<Transformation> {
  const fitting: readonly Transformation[] =
    kind.kind === 'string'
      ? ['trim', 'fallback', 'emptyIsAbsent']
      : kind.kind === 'number'
        ? ['parse']
        : kind.kind === 'array' && kind.items.kind === 'string'
          ? ['split']
          : [];
  return fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 8 },
    { arbitrary: fc.constantFrom(undefined, ...fitting), weight: 1 },
  );
}

const rarely = fc.nat(9).map((number) => number === 0);
const condition = fc
  .nat(20)
  .map((number): Condition => (({ 0: 'never', 1: 'always', 2: { sibling: 'p0' } }) as const)[number]);

function fieldOf(property: string, depth: number): fc.Arbitrary<Field> {
  return kindOf(depth).chain((kind) =>
    fc
      .record({
        kind: fc.constant(kind),
        rules: rulesFor(kind, 3),
        renamed: fc.nat(3),
        naming: fc.constantFrom<Naming>('emitted', 'emitted', 'param', 'type'),
        presence: fc.constantFrom<Field['presence']>(
          'required',
          'required',
          'optional',
          'isOptional',
          'default',
          'initial',
        ),
        nullable: rarely,
        condition,
        transformation: transformationFor(kind),
        hidden: rarely,
      })
      .chain((draft) => goodOf(kind, draft.rules).map((value) => consistent(property, { ...draft, value }))),
  );
}

type Draft = Omit<Field, 'property' | 'wire' | 'renamedBy'> & { readonly renamed: number };

/** A field without what contradicts itself. */
function consistent(property: string, { renamed, ...draft }: Draft): Field {
  const { kind, transformation, hidden } = draft;
  const wire = renamed > 1 ? property : `wire_${property}`;
  const hasDefault = draft.presence === 'default' || draft.presence === 'initial';
  const presence =
    kind.kind === 'self' ||
    (hasDefault && !isPlain(kind)) ||
    (draft.presence === 'default' && transformation !== undefined)
      ? 'optional'
      : draft.presence;
  return {
    ...draft,
    property,
    wire,
    renamedBy: renamed === 0 ? 'param' : 'expose',
    presence: hidden && presence === 'required' ? 'optional' : presence,
    nullable: draft.nullable && transformation === undefined,
    condition: isScalar(kind) && transformation === undefined && property !== 'p0' ? draft.condition : undefined,
    transformation: hidden ? undefined : transformation,
    // The initial value stays as it is, and we do not judge it: rules that may refuse it are left out.
    rules: hidden ? draft.rules.slice(0, 1).filter(({ sample }) => !customSamples.includes(sample)) : draft.rules,
  };
}

/** Classes with up to four properties of their own and two inherited ones, nested up to `depth` levels. */
export function classRecipe(depth: number): fc.Arbitrary<ClassRecipe> {
  const own = fc
    .nat(depth > 1 ? 3 : 2)
    .chain((last) => fc.tuple(...['p0', 'p1', 'p2', 'p3'].slice(0, last + 1).map((name) => fieldOf(name, depth))));
  const inherited = fc.oneof(
    { arbitrary: fc.constant<readonly (Field | undefined)[]>([]), weight: 5 },
    { arbitrary: inheritedFields, weight: 1 },
  );
  return fc
    .record({ own, inherited, exposesOnlyMarked: rarely })
    .map(({ own: fields, inherited: family, ...others }) => {
      const [redeclared, ...base] = family as readonly [Field | undefined, ...Field[]];
      return { ...others, inherited: base, fields: redeclared === undefined ? fields : [...fields, redeclared] };
    });
}

/** The fields of a parent class, and before them one of these as the subclass declares it again: with other rules. */
const inheritedFields: fc.Arbitrary<readonly (Field | undefined)[]> = fc
  .tuple(fieldOf('q0', 0), fieldOf('q1', 0))
  .chain(([first, second]) => {
    const parent = { ...first, transformation: undefined, hidden: false, condition: undefined };
    return rulesFor(parent.kind, 1).map((rules) => [
      // @IsDefined alone replaces no rule of the parent, but the rules that the reference class adds would.
      rules.every(({ sample }) => sample.decorator === 'IsDefined') ? undefined : { ...parent, rules },
      { ...parent, rules: parent.rules },
      second,
    ]);
  });
