import type { Check } from '../../metadata/ClassShape.js';

/**
 * Has patterns wait for the rules that bound a length: a text that is too long is refused anyway, and a pattern that backtracks
 * would block on it.
 */
export function lengthFirst(checks: readonly Check[]): readonly Check[] {
  const bounds = checks.filter(({ schema, pattern }) => schema?.['maxLength'] !== undefined && pattern === undefined);
  if (bounds.length === 0) return checks;
  return checks.map((check) => {
    if (check.pattern === undefined) return check;
    const own = bounds.filter(({ each }) => each === check.each);
    const test: Check['test'] = (value, owner) =>
      own.some((bound) => !bound.test(value, owner)) || check.test(value, owner);
    return { ...check, test };
  });
}
