import type { FieldShape, TypeShape } from '../../metadata/ClassShape.js';

/** A description of a type that completes "expected …". */
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

/** A description of a field with its rules, so that a model that left it out is not refused a second time. */
export function describeField({ type, checks }: FieldShape): string {
  const hints = checks.flatMap(({ each, hint }) => (each || hint === undefined ? [] : [hint]));
  return [describeExpected(type), ...new Set(hints)].join(', ');
}
