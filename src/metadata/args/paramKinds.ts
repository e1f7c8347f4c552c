import type { ParamOptions } from './ParamMetadataArgs.js';
import { isTypeReference } from './isTypeReference.js';
import type { OptionKind, OptionKinds } from './readOptions.js';

const text: OptionKind = { expected: 'a text', fits: (value) => typeof value === 'string' };
const flag: OptionKind = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
/** Whether a rule can be kept is judged where rules are read. */
const rule: OptionKind = { expected: '', fits: () => true };
/** A class that a circular file left unset is told as such where types are read. */
const type: OptionKind = {
  expected: 'a class, or what names a type, such as [X] or { record: X },',
  fits: (value) => value === null || isTypeReference(value),
};

/** What stands in `@Param`. */
export const paramKinds: OptionKinds<ParamOptions> = {
  description: text,
  name: text,
  type,
  enum: { expected: 'a list of values, or an enum,', fits: (value) => typeof value === 'object' && value !== null },
  record: type,
  oneOf: { expected: 'a list of types', fits: (value) => Array.isArray(value) && value.every(type.fits) },
  optional: flag,
  nullable: flag,
  default: { expected: 'a value that can be copied', fits: isCopyable },
  integer: flag,
  min: rule,
  max: rule,
  minLength: rule,
  maxLength: rule,
  pattern: rule,
  format: rule,
  minItems: rule,
  maxItems: rule,
  secret: flag,
};

function isCopyable(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}
