import jsonPatch from 'fast-json-patch';
import { isRecord } from 'toolwright/internal/light';
import { describeJson } from '../describeJson.js';
import { MAX_DIFFERENCES } from '../limits.js';

/** A place at which two values are different. */
export interface Difference {
  /** A JSON Pointer, such as `/orders/W1/status`; empty for the whole value. */
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** How a value has to match: exactly, or with further keys in objects. */
export type StateMatch = 'exact' | 'superset';

/** Lists the differences of two values of plain JSON, in the order of their places. */
export function compareStates(expected: unknown, actual: unknown, match: StateMatch = 'exact'): readonly Difference[] {
  const [from, to] = [{ root: expected ?? null }, { root: actual ?? null }];
  return jsonPatch
    .compare(from, to)
    .filter(({ op, path }) => match === 'exact' || op !== 'add' || !isRecord(readPlace(from, parentOf(path))))
    .map(({ op, path }) => ({
      path: path.slice('/root'.length),
      expected: op === 'add' ? undefined : readPlace(from, path),
      actual: op === 'remove' ? undefined : readPlace(to, path),
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Describes differences for a person, a line for each. */
export function describeDifferences(differences: readonly Difference[]): string {
  const lines = differences.slice(0, MAX_DIFFERENCES).map(({ path, expected, actual }) => {
    return `${path === '' ? '(all)' : path}: expected ${describeJson(expected)}, got ${describeJson(actual)}`;
  });
  const more = differences.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${String(more)} more differences`] : [])].join('\n');
}

function readPlace(root: object, path: string): unknown {
  let value: unknown = root;
  for (const step of path.split('/').slice(1))
    value = (value as Readonly<Record<string, unknown>>)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  return value;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
