import { isRecord } from '../common/guards.js';
import type { StateChange } from '../interface/Transactional.js';

/** The parts of a value that a change replaced, before and after it. */
type Difference = Pick<StateChange, 'before' | 'after'>;

/** Leaves out the unchanged properties of a changed record of plain JSON data; returns undefined if nothing differs. */
export function narrowChange({ what, before, after }: StateChange): StateChange | undefined {
  const difference = findDifference(before, after);
  return difference === undefined ? undefined : { what, ...difference };
}

function findDifference(before: unknown, after: unknown): Difference | undefined {
  if (Object.is(before, after)) return undefined;
  if (isRecord(before) && isRecord(after)) return findRecordDifference(before, after);
  const areEqual =
    Array.isArray(before) &&
    Array.isArray(after) &&
    before.length === after.length &&
    before.every((item, at) => findDifference(item, after[at]) === undefined);
  return areEqual ? undefined : { before, after };
}

function findRecordDifference(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Difference | undefined {
  const were: [string, unknown][] = [];
  const are: [string, unknown][] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [had, has] = [Object.hasOwn(before, key), Object.hasOwn(after, key)];
    const difference =
      had && has ? findDifference(before[key], after[key]) : { before: before[key], after: after[key] };
    if (difference === undefined) continue;
    if (had) were.push([key, difference.before]);
    if (has) are.push([key, difference.after]);
  }
  if (were.length + are.length === 0) return undefined;
  return { before: Object.fromEntries(were), after: Object.fromEntries(are) };
}
