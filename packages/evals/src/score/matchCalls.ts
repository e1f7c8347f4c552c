import { canonicalJson } from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';
import type { EvalCall } from '../Eval.js';
import type { ExpectedCall } from '../tasks/EvalTask.js';

/** How the order and the number of calls have to match. */
export type TrajectoryMode = 'strict' | 'unordered' | 'subset' | 'superset';

/** How arguments have to match; `subset`: no others than expected; `superset`: at least the expected ones. */
export type ArgumentsMode = 'exact' | 'ignore' | 'subset' | 'superset';

/** Compares the arguments of a call with the expected ones. */
export type ArgumentsComparator = (expected: Readonly<Record<string, unknown>>, actual: unknown) => boolean;

/** Tests whether a call is an expected one. */
export type CallTest = (expected: ExpectedCall, actual: EvalCall) => boolean;

/** Creates a test of calls. @param tools how the arguments of some tools match, in place of `mode` */
export function createCallTest(
  mode: ArgumentsMode,
  tools: Readonly<Record<string, ArgumentsMode | ArgumentsComparator>>,
): CallTest {
  return (expected, actual) => {
    if (expected.name !== actual.name) return false;
    const how = Object.hasOwn(tools, expected.name) ? (tools[expected.name] ?? mode) : mode;
    const wanted = expected.arguments ?? {};
    return typeof how === 'function' ? how(wanted, actual.arguments) : matchesArguments(how, wanted, actual.arguments);
  };
}

function matchesArguments(mode: ArgumentsMode, expected: Readonly<Record<string, unknown>>, actual: unknown): boolean {
  if (mode === 'ignore') return true;
  if (!isRecord(actual)) return false;
  switch (mode) {
    case 'exact':
      return isEqual(expected, actual);
    case 'subset':
      return Object.keys(actual).every(
        (name) => Object.hasOwn(expected, name) && isEqual(expected[name], actual[name]),
      );
    case 'superset':
      return Object.keys(expected).every(
        (name) => Object.hasOwn(actual, name) && isEqual(expected[name], actual[name]),
      );
  }
}

function isEqual(one: unknown, other: unknown): boolean {
  return canonicalJson(one, () => undefined) === canonicalJson(other, () => undefined);
}

/** Expected calls without a partner among the actual ones, and the reverse. */
export interface Unmatched {
  readonly missing: readonly ExpectedCall[];
  readonly unexpected: readonly EvalCall[];
}

/**
 * Pairs expected calls with actual ones, as many as possible. Taking the first partner that matches would miss pairs when arguments
 * match loosely, so earlier pairs are changed where that frees a partner (Kuhn's algorithm).
 */
export function pairCalls(expected: readonly ExpectedCall[], actual: readonly EvalCall[], test: CallTest): Unmatched {
  const partners: (number | undefined)[] = actual.map(() => undefined);
  const candidates = expected.map((wanted) => {
    return actual.flatMap((call, index) => (test(wanted, call) ? [index] : []));
  });
  const missing = expected.filter((_wanted, from) => !findPartner(from, candidates, partners));
  return { missing, unexpected: actual.filter((_call, index) => partners[index] === undefined) };
}

function findPartner(
  start: number,
  candidates: readonly (readonly number[])[],
  partners: (number | undefined)[],
): boolean {
  // Breadth first and without recursion: a chain of changed pairs may be as long as the trajectory.
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const from of queue) {
    for (const index of candidates[from] ?? []) {
      if (cameFrom.has(index)) continue;
      cameFrom.set(index, from);
      const holder = partners[index];
      if (holder !== undefined) {
        queue.push(holder);
        continue;
      }
      for (let at: number | undefined = index; at !== undefined;) {
        const by: number = cameFrom.get(at) ?? start;
        const before = partners.indexOf(by);
        partners[at] = by;
        at = by === start ? undefined : before;
      }
      return true;
    }
  }
  return false;
}
