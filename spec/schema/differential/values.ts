import fc from 'fast-check';
import { fieldsOf, type ClassRecipe, type Field, type Kind, type Rule } from './Recipe';

/** Represents a key that is left out. */
const ABSENT = Symbol('absent');

const shortText = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('', '😀', 'né', 'abc'));
const real = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -9, max: 9 }));
const iso = fc.oneof(
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
  fc.constantFrom('2030-01-31', '2030-01-31T10:00', '2028-02-29'),
);
const notIso = ['2030-02-30', 'soon', '5', '2030-W05-1', '2030-01-01x'];

/** Any value of the wire: all that `JSON.parse` can return, 1e400 included. */
const nonsense = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }).filter((value) => !JSON.stringify(value).includes('"__proto__"')),
  fc.constantFrom<unknown>(Infinity, -Infinity, 1e21, '5', 'true', '', [], {}, [[]], [null], [{}], ...notIso),
);

/** Values that are right for a kind and for the first of the rules. */
export function goodOf(kind: Kind, rules: readonly Rule[]): fc.Arbitrary<unknown> {
  const [rule] = rules;
  if (rule === undefined || rule.sample.good.length === 0) return plainlyGood(kind);
  const good = fc.constantFrom(...rule.sample.good);
  if (!rule.each) return good;
  return fc.array(good, { maxLength: 2 });
}

function plainlyGood(kind: Kind): fc.Arbitrary<unknown> {
  switch (kind.kind) {
    case 'string':
      return shortText;
    case 'number':
      return real;
    case 'integer':
      return fc.integer();
    case 'boolean':
      return fc.boolean();
    case 'date':
      return iso;
    case 'any':
      return fc.jsonValue({ maxDepth: 1 }).filter((value) => !JSON.stringify(value).includes('"__proto__"'));
    case 'enum':
      return fc.constantFrom(...kind.values);
    case 'array':
      return fc.array(plainlyGood(kind.items), { maxLength: 2 });
    case 'record':
      return fc.dictionary(fc.oneof(shortText, fc.constantFrom('__proto__', 'constructor')), plainlyGood(kind.values), {
        maxKeys: 2,
      });
    case 'tuple':
      return fc.tuple(...kind.items.map(plainlyGood));
    case 'oneOf':
      return fc.oneof(...kind.options.map(plainlyGood));
    case 'class':
      return objectsFor(kind.recipe);
    case 'union':
      return fc.oneof(
        ...kind.subs.map(([name, recipe]) => objectsFor(recipe).map((value) => ({ type: name, ...value }))),
      );
    case 'self':
      // Its fields are not known here; objectsFor puts them in.
      return fc.constant({});
  }
}

/** Values near those that a rule takes: its own counter-examples, and good ones that were changed a little. */
function nearlyGood(rules: readonly Rule[]): fc.Arbitrary<unknown> {
  const [rule] = rules;
  if (rule === undefined) return nonsense;
  const bad = [...rule.sample.bad, ...rule.sample.good.flatMap(changed)];
  if (bad.length === 0) return nonsense;
  return rule.each ? fc.array(fc.constantFrom(...bad), { minLength: 1, maxLength: 2 }) : fc.constantFrom(...bad);
}

function changed(value: unknown): readonly unknown[] {
  if (typeof value === 'string')
    return [value.slice(1), `${value}x`, `${value}${value}`, value.toUpperCase(), ` ${value}`];
  if (typeof value === 'number') return [value + 0.5, -value, String(value)];
  return Array.isArray(value) ? [[...(value as unknown[]), ...(value as unknown[])], value.slice(1)] : [];
}

function entryFor(field: Field, self: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const good = field.kind.kind === 'self' ? self : goodOf(field.kind, field.rules);
  const written = {
    trim: (value: unknown) => ` ${String(value)} `,
    split: (value: unknown) => (value as []).join(','),
  };
  const { transformation } = field;
  const sent = transformation === 'trim' || transformation === 'split' ? good.map(written[transformation]) : good;
  return fc.oneof(
    { arbitrary: sent, weight: field.hidden ? 1 : 40 },
    { arbitrary: fc.constant(ABSENT), weight: field.hidden ? 80 : field.presence === 'required' ? 1 : 12 },
    { arbitrary: nearlyGood(field.rules), weight: field.hidden ? 0 : 4 },
    { arbitrary: fc.constant(null), weight: 2 },
    { arbitrary: fc.constantFrom<unknown>('', ' ', '7'), weight: transformation === undefined ? 0 : 9 },
    { arbitrary: nonsense, weight: 1 },
  );
}

function objectsFor(recipe: ClassRecipe, inner = false): fc.Arbitrary<object> {
  const fields = fieldsOf(recipe);
  // One level below, the class itself does not occur again.
  const self = inner ? fc.constant(ABSENT) : fc.constant(undefined).chain(() => objectsFor(recipe, true));
  const entries = fields.map((field) => entryFor(field, self));
  const extra = fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 40 },
    {
      arbitrary: fc.constantFrom(
        'zip',
        '__proto__',
        'constructor',
        'toString',
        ...fields.map(({ property }) => property),
      ),
      weight: 1,
    },
  );
  return fc.tuple(fc.tuple(...entries), extra).map(([made, key]) => {
    const value: Record<string, unknown> = {};
    for (const [index, entry] of made.entries()) if (entry !== ABSENT) value[fields[index]!.wire] = entry;
    if (key !== undefined && !Object.hasOwn(value, key))
      Object.defineProperty(value, key, { value: 1, enumerable: true, configurable: true, writable: true });
    return value;
  });
}

/** Values for a class: right ones, nearly right ones, and now and then something else altogether. */
export function valuesFor(recipe: ClassRecipe): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: objectsFor(recipe), weight: 60 }, { arbitrary: nonsense, weight: 1 });
}
