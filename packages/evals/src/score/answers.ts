import { aBoolean, aFunction, oneOf, type OptionForms, requireOptions } from 'toolwright/internal';
import type { ScoredRun, Scorer } from '../Eval.js';
import { describeJson } from '../describeJson.js';
import { compareStates, describeDifferences, type StateMatch } from './compareStates.js';
import { toPlainState } from './plainState.js';

/** The options of `answerText`. */
export interface AnswerTextOptions<I = unknown> {
  /** `exact`, the default: the whole text, without white space around it. `includes`: the expected text is a part of the answer. */
  readonly match?: 'exact' | 'includes' | undefined;
  /** True to treat capital and small letters alike; false by default. */
  readonly ignoreCase?: boolean | undefined;
  /** Returns the expected text; by default `expected.text` of the task. */
  readonly expected?: ((run: ScoredRun<I>) => string | undefined) | undefined;
}

const textForms: OptionForms<AnswerTextOptions> = {
  match: oneOf('exact', 'includes'),
  ignoreCase: aBoolean,
  expected: aFunction,
};

/** Scores the text of the answer. Does not apply to tasks without an expected text. @throws PromptError E413 for a wrong option */
export function answerText<I = unknown>(options: AnswerTextOptions<I> = {}): Scorer<I> {
  requireOptions('answerText', options, textForms as OptionForms<AnswerTextOptions<I>>);
  const { match = 'exact', ignoreCase = false } = options;
  const normalise = (text: string): string => (ignoreCase ? text.toLowerCase() : text).trim();
  return (run) => {
    const expected = options.expected === undefined ? run.task.expected?.text : options.expected(run);
    if (expected === undefined) return undefined;
    const [wanted, given] = [normalise(expected), normalise(run.text ?? '')];
    if (match === 'exact' ? given === wanted : given.includes(wanted)) return { pass: true };
    const verb = match === 'exact' ? 'be' : 'contain';
    return {
      pass: false,
      reason: `The answer should ${verb} ${describeJson(expected)}, got ${describeJson(run.text)}.`,
    };
  };
}

/** The options of `answerOutput`. */
export interface AnswerOutputOptions<I = unknown> {
  /** `superset` allows further keys in objects; `exact` by default. */
  readonly match?: StateMatch | undefined;
  /** Returns the expected value; by default `expected.output` of the task. */
  readonly expected?: ((run: ScoredRun<I>) => unknown) | undefined;
}

const outputForms: OptionForms<AnswerOutputOptions> = { match: oneOf('exact', 'superset'), expected: aFunction };

/**
 * Scores the parsed answer of a prompt with an output. The reason shows the places that are wrong. Does not apply to tasks without an
 * expected output.
 *
 * @throws PromptError E413 for a wrong option
 */
export function answerOutput<I = unknown>(options: AnswerOutputOptions<I> = {}): Scorer<I> {
  requireOptions('answerOutput', options, outputForms as OptionForms<AnswerOutputOptions<I>>);
  return (run) => {
    const expected = options.expected === undefined ? run.task.expected?.output : options.expected(run);
    if (expected === undefined) return undefined;
    const differences = compareStates(toPlainState(expected), toPlainState(run.output), options.match);
    if (differences.length === 0) return { pass: true };
    return { pass: false, reason: `The output is wrong.\n${describeDifferences(differences)}` };
  };
}
