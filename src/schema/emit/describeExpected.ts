import type { FieldShape, TypeShape } from '../../metadata/ClassShape.js';

/** Phrases for types that are described alike whatever they hold. */
const typePhrases = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  any: 'any value',
  date: 'an ISO 8601 date and time',
  array: 'an array',
  record: 'an object',
  object: 'an object',
};

/** Describes a type as a phrase that completes "expected …". */
export function describeExpected(type: TypeShape): string {
  switch (type.kind) {
    case 'enum':
      return `one of ${type.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'tuple':
      return `an array of exactly ${String(type.items.length)}`;
    case 'discriminated':
      return `an object whose ${type.property} is one of ${type.subTypes.map(({ name }) => JSON.stringify(name)).join(', ')}`;
    case 'oneOf':
      return type.options.map(describeExpected).join(' or ');
    default:
      return typePhrases[type.kind];
  }
}

/** Describes a field with its rules, so that a model that left it out does not violate them next. */
export function describeField({ type, checks }: FieldShape): string {
  const hints = checks.flatMap(({ each, hint }) => (each || hint === undefined ? [] : [hint]));
  return [describeExpected(type), ...new Set(hints)].join(', ');
}
