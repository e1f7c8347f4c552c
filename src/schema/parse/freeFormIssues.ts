import { keyText } from '../../common/text.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import { isPrototypeKey } from '../limits.js';

/** The keys that no map may have in a value of any type, at any depth; the depth itself is limited before. */
export function freeFormIssues(value: unknown, path: string): readonly ParamIssue[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => freeFormIssues(item, `${path}[${String(index)}]`));
  return Object.entries(value).flatMap(([key, entry]) => {
    const at = `${path}.${keyText(key)}`;
    return isPrototypeKey(key)
      ? [{ kind: 'extra' as const, path: at, message: 'is not a possible key' }]
      : freeFormIssues(entry, at);
  });
}
