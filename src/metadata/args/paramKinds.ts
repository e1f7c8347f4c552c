import { isObject } from '../../common/guards.js';
import type { ParamOptions } from './ParamMetadataArgs.js';
import { isTypeReference } from './TypeReference.js';
import { flag, ruled, text, type OptionKind, type OptionKinds } from './readOptions.js';

const bound: OptionKind = { expected: 'a finite number', fits: Number.isFinite };
const size: OptionKind = {
  expected: 'a whole number from 0',
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};
/** Accepts null: the reader of types reports a class that a circular import left unset. */
const type: OptionKind = {
  expected: 'a class, or a type reference such as [X] or { record: X }',
  fits: (value) => value === null || isTypeReference(value),
};

export const paramKinds: OptionKinds<ParamOptions> = {
  description: text,
  name: text,
  type,
  enum: {
    expected: 'a list of texts, finite numbers, true, false and null, or an enum',
    fits: (value) => isObject(value) && Object.values(value).every(isScalar),
  },
  record: type,
  oneOf: { expected: 'a list of types', fits: (value) => Array.isArray(value) && value.every(type.fits) },
  optional: flag,
  nullable: flag,
  default: { expected: 'a value that can be copied', fits: isCopyable },
  integer: flag,
  min: bound,
  max: bound,
  minLength: size,
  maxLength: size,
  pattern: ruled,
  format: ruled,
  minItems: size,
  maxItems: size,
  secret: flag,
  internal: flag,
};

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
}

function isCopyable(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}
