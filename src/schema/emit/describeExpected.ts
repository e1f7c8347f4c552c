import type { FieldShape, TypeShape } from '../../metadata/ClassShape.js';

/** Describes a type as a phrase that completes "expected …". */
export function describeExpected(type: TypeShape): string {
  switch (type.kind) {
    case 'string':
      return 'a string';
    case 'number':
      return 'a number';
    case 'integer':
      return 'a whole number';
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'any':
      return 'any value';
    case 'date':
      return 'an ISO 8601 date and time';
    case 'enum':
      return `one of ${type.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'array':
      return 'an array';
    case 'tuple':
      return `an array of exactly ${String(type.items.length)}`;
    case 'record':
    case 'object':
      return 'an object';
    case 'discriminated':
      return `an object whose ${type.property} is one of ${type.subTypes.map(({ name }) => JSON.stringify(name)).join(', ')}`;
    case 'oneOf':
      return type.options.map(describeExpected).join(' or ');
  }
}

/** Describes a field with its rules, so that a model that left it out does not violate them next. */
export function describeField({ type, checks }: FieldShape): string {
  const hints = checks.flatMap(({ each, hint }) => (each || hint === undefined ? [] : [hint]));
  return [describeExpected(type), ...new Set(hints)].join(', ');
}
