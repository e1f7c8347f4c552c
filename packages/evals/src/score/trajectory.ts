import { aBoolean, aFunction, anObject, oneOf, type OptionForms, requireOptions } from 'toolwright/internal';
import type { EvalCall, Score, ScoredRun, Scorer } from '../Eval.js';
import type { ExpectedCall } from '../tasks/EvalTask.js';
import { compareStates, describeDifferences } from './compareStates.js';
import { describeJson } from '../describeJson.js';
import {
  type ArgumentsComparator,
  type ArgumentsMode,
  type CallTest,
  createCallTest,
  pairCalls,
  type TrajectoryMode,
} from './matchCalls.js';

/** The options of `trajectory`. */
export interface TrajectoryOptions<I = unknown> {
  /**
   * `strict`, the default: the expected calls in their order. `unordered`: the expected calls in any order. `subset`: no call that is
   * not expected. `superset`: all expected calls, and any others.
   */
  readonly mode?: TrajectoryMode | undefined;
  /**
   * `exact`, the default: equal arguments. `ignore`: any. `subset`: no argument that is not expected. `superset`: all expected
   * arguments, and any others.
   */
  readonly arguments?: ArgumentsMode | undefined;
  /** A mode or a comparator for the arguments of some tools, by name. */
  readonly tools?: Readonly<Record<string, ArgumentsMode | ArgumentsComparator>> | undefined;
  /** True to leave out calls that failed; false by default. */
  readonly ignoreFailed?: boolean | undefined;
  /** Returns the expected calls; by default `expected.calls` of the task. */
  readonly expected?: ((run: ScoredRun<I>) => readonly ExpectedCall[] | undefined) | undefined;
}

const optionForms: OptionForms<TrajectoryOptions> = {
  mode: oneOf('strict', 'unordered', 'subset', 'superset'),
  arguments: oneOf('exact', 'ignore', 'subset', 'superset'),
  tools: anObject,
  ignoreFailed: aBoolean,
  expected: aFunction,
};

/**
 * Scores the calls of a run against the expected ones. Does not apply to tasks without expected calls.
 *
 * @throws PromptError E413 for a wrong option
 */
export function trajectory<I = unknown>(options: TrajectoryOptions<I> = {}): Scorer<I> {
  requireOptions('trajectory', options, optionForms as OptionForms<TrajectoryOptions<I>>);
  const { mode = 'strict', ignoreFailed = false, tools = {} } = options;
  const test = createCallTest(options.arguments ?? 'exact', tools);
  return (run) => {
    const expected = options.expected === undefined ? run.task.expected?.calls : options.expected(run);
    if (expected === undefined) return undefined;
    const actual = ignoreFailed ? run.calls.filter(({ failed }) => !failed) : run.calls;
    return mode === 'strict' ? compareInOrder(expected, actual, test) : compareSets(mode, expected, actual, test);
  };
}

function compareInOrder(expected: readonly ExpectedCall[], actual: readonly EvalCall[], test: CallTest): Score {
  for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
    const [wanted, call] = [expected[index], actual[index]];
    if (wanted !== undefined && call !== undefined && test(wanted, call)) continue;
    const said = `Call ${String(index + 1)}: expected ${describeCall(wanted)}, got ${describeCall(call)}.`;
    return { pass: false, reason: `${said}${explainArguments(wanted, call)}` };
  }
  return { pass: true };
}

function compareSets(
  mode: Exclude<TrajectoryMode, 'strict'>,
  expected: readonly ExpectedCall[],
  actual: readonly EvalCall[],
  test: CallTest,
): Score {
  const { missing, unexpected } = pairCalls(expected, actual, test);
  const lines = [
    ...(mode === 'subset' ? [] : missing.map((call) => `Missing: ${describeCall(call)}`)),
    ...(mode === 'superset' ? [] : unexpected.map((call) => `Unexpected: ${describeCall(call)}`)),
  ];
  if (lines.length === 0) return { pass: true };
  // With one of a kind on each side, only the arguments differ.
  const [wanted] = missing;
  const near = missing.length === 1 ? unexpected.find(({ name }) => name === wanted?.name) : undefined;
  return { pass: false, reason: `${lines.join('\n')}${explainArguments(wanted, near)}` };
}

function describeCall(call: ExpectedCall | EvalCall | undefined): string {
  return call === undefined ? 'no call' : `${call.name}(${describeJson(call.arguments ?? {})})`;
}

function explainArguments(wanted: ExpectedCall | undefined, call: EvalCall | undefined): string {
  if (wanted === undefined || wanted.name !== call?.name) return '';
  const text = describeDifferences(compareStates(wanted.arguments ?? {}, call.arguments));
  return text === '' ? '' : `\nArguments of ${call.name}:\n${text}`;
}
