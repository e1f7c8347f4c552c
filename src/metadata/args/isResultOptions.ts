import type { ResultOptions } from './TypeReference.js';

/** True for a result's type with options; false for classes, lists, and schemas of other libraries, which are types themselves. */
export function isResultOptions(value: unknown): value is ResultOptions {
  return typeof value === 'object' && value !== null && !('~standard' in value) && Object.hasOwn(value, 'type');
}
