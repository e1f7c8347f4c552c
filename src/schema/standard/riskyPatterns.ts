import type { JsonSchema } from '../../common/types.js';
import { isPlain } from '../pattern/shortcuts.js';
import { innerSchemas } from './schemaTree.js';

/** With so few characters, a pattern that doubles its steps with each of them still ends within milliseconds. */
const SHORT = 16;
const SHORT_IN_ALL = 1_000;

/** True if a schema has a pattern that may take more than linear time; its flags are unknown. */
export function hasRiskyPattern(root: JsonSchema): boolean {
  const open: JsonSchema[] = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    const { pattern, patternProperties = {} } = schema;
    if ([pattern, ...Object.keys(patternProperties as object)].some(isRisky)) return true;
    open.push(...innerSchemas(schema));
  }
  return false;
}

function isRisky(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    return !isPlain(new RegExp(pattern)) || !isPlain(new RegExp(pattern, 'i'));
  } catch {
    return true;
  }
}

/** True if the texts of a value are so short that no pattern takes long. */
export function hasShortTexts(value: unknown): boolean {
  let left = SHORT_IN_ALL;
  const isShort = (part: unknown): boolean => {
    if (typeof part === 'string') return part.length <= SHORT && (left -= part.length) >= 0;
    if (typeof part !== 'object' || part === null) return true;
    return Object.entries(part).every(([key, inner]) => isShort(key) && isShort(inner));
  };
  return isShort(value);
}
