import type { Fields } from '../../common/guards.js';
import { describeValue } from '../../common/text.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import type { FieldShape, TypeShape } from '../../metadata/ClassShape.js';
import { describeExpected } from '../emit/describeExpected.js';

/**
 * Describes a value of a result that does not match its type.
 *
 * @param causes why the options of a union do not match
 * @param place the class and property that declare it, such as `Order.total`
 */
export function describeWrong(
  type: TypeShape,
  value: unknown,
  causes: readonly ParamIssue[],
  place: string | undefined,
): string {
  const text = addPlace(`expected ${describeClass(type)}, got ${describeValue(value)}`, place);
  const reasons = causes.map(({ path, message }) => `${path} ${message}`.trim());
  return reasons.length === 0 ? text : `${text}: ${reasons.join('; ')}`;
}

/** Describes a missing property of a result, or one returned under the name that the model reads. */
export function describeMissing(
  { type, property, wireName }: FieldShape,
  owner: Fields,
  place: string | undefined,
): string {
  const text = addPlace(`is required: ${describeClass(type)}`, place);
  if (wireName === property || !Object.hasOwn(owner, wireName)) return text;
  return `${text}; return it as ${JSON.stringify(property)}, which is sent as ${JSON.stringify(wireName)}`;
}

/** Appends the class and property that a message is about. */
export function addPlace(message: string, place: string | undefined): string {
  return place === undefined ? message : `${message} (${place})`;
}

/** Describes a type to complete "expected …", with class names. */
function describeClass(type: TypeShape): string {
  switch (type.kind) {
    case 'object':
      return `an object of class ${type.shape.name}`;
    case 'array':
      return type.items.kind === 'object' ? `an array of ${type.items.shape.name}` : describeExpected(type);
    case 'oneOf':
      return type.options.map(describeClass).join(' or ');
    default:
      return describeExpected(type);
  }
}
