import type { Fields } from '../../common/guards.js';
import type { Fault } from '../../error/Finding.js';
import type { FieldShape } from '../../metadata/ClassShape.js';
import { findPropertyIssues } from '../write/Conformity.js';
import type { PatternReader } from '../rules/Rule.js';

/**
 * Finds patterns that cannot be matched in linear time, rules that no value satisfies, and a default that would be refused.
 *
 * @param sample an instance, for rules that read more than the value
 */
export function findFieldFaults(field: FieldShape, sample: object | undefined, read: PatternReader): readonly Fault[] {
  return [...field.checks.flatMap((check) => findRuleFaults(check, read)), ...findDefaultFaults(field, sample)];
}

function findRuleFaults(
  { name, pattern, schema }: FieldShape['checks'][number],
  read: PatternReader,
): readonly Fault[] {
  const faults: Fault[] = [];
  const problem = pattern === undefined ? undefined : read(pattern).problem;
  if (problem !== undefined) faults.push({ code: 'E206', problem });
  const values: unknown = schema?.['enum'];
  if (Array.isArray(values) && values.length === 0)
    faults.push({ code: 'E216', problem: `the rule ${name} allows no value` });
  return faults;
}

function findDefaultFaults(field: FieldShape, sample: object | undefined): readonly Fault[] {
  if (field.default === undefined || field.conversion !== undefined) return [];
  const { property, checks } = field;
  const owner = { ...sample, [property]: field.default.value };
  const alone = checks.filter((check) => !readsOtherFields({ ...field, checks: [check] }, owner));
  // A rule that compares the default with other fields is checked in each call, which has their values.
  const [issue] = findPropertyIssues({ ...field, checks: alone }, owner);
  return issue === undefined ? [] : [{ code: 'E203', problem: `the default would be refused: ${issue.message}` }];
}

/** Checks whether a user's rule reads more of the object than the value of the field. */
function readsOtherFields(field: FieldShape, owner: Fields): boolean {
  if (field.checks.every(({ hint }) => hint !== undefined)) return false;
  const asked = new Set<unknown>();
  const watched = new Proxy(owner, {
    get: (target, key) => {
      asked.add(key);
      return Reflect.get(target, key) as unknown;
    },
  });
  findPropertyIssues(field, watched);
  return asked.size > 1;
}
