import { MAX_KEPT_PATTERNS } from '../../common/limits.js';
import { getOrCreate } from '../../common/memoize.js';
import type { PatternReading } from '../rules/Rule.js';
import { compileLinearPattern } from './compileLinearPattern.js';
import { isPlain, findNestedRepetition } from './findNestedRepetition.js';

/** Results by pattern, since many classes share one. */
const readings = new Map<string, PatternReading>();

/** Prepares a pattern of a class for matching in linear time: by V8 if it is simple, by RE2 otherwise (decision 48). */
export function readDeclaredPattern(pattern: RegExp): PatternReading {
  return getOrCreate(readings, String(pattern), () => {
    if (readings.size >= MAX_KEPT_PATTERNS) readings.clear();
    return readPattern(pattern);
  });
}

function readPattern(pattern: RegExp): PatternReading {
  const part = findNestedRepetition(pattern);
  if (part !== undefined)
    return { problem: `the part ${part} of ${String(pattern)} can be matched in exponentially many ways` };
  if (isPlain(pattern)) return { test: (text) => pattern.test(text), longest: Infinity };
  const linear = compileLinearPattern(pattern);
  if (linear.has !== undefined)
    return { problem: `${String(pattern)} has ${linear.has}, which may take too long to match. ${linear.instead}` };
  return { test: (text) => linear.find(text) !== undefined, longest: linear.longest };
}
