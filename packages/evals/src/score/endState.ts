import { aFunction, canonicalJson, oneOf, type OptionForms, requireOptions } from 'toolwright/internal';
import { sha256 } from 'toolwright/internal/light';
import type { Score, ScoredRun, Scorer } from '../Eval.js';
import { compareStates, describeDifferences, type StateMatch } from './compareStates.js';
import { toPlainState } from './plainState.js';

/** The options of `endState`. */
export interface EndStateOptions<I = unknown> {
  /** Returns the state to compare; by default the slices of the session and the resources: `{ session, resources }`. */
  readonly read?: ((run: ScoredRun<I>) => unknown) | undefined;
  /** Returns the expected state, such as one that the right calls have made; by default `expected.state` of the task. */
  readonly expected?: ((run: ScoredRun<I>) => unknown) | undefined;
  /** `superset` allows further keys in objects; `exact` by default. */
  readonly match?: StateMatch | undefined;
  /** Decides in place of a comparison. It gets the state as plain JSON. */
  readonly check?: ((state: unknown, run: ScoredRun<I>) => boolean | Score | PromiseLike<boolean | Score>) | undefined;
}

const optionForms: OptionForms<EndStateOptions> = {
  read: aFunction,
  expected: aFunction,
  match: oneOf('exact', 'superset'),
  check: aFunction,
};

/**
 * Scores the state after a run: by a predicate, by the expected state, or by its hash. The reason shows the places that are wrong.
 * Does not apply to tasks without an expectation.
 *
 * @throws PromptError E413 for a wrong option
 */
export function endState<I = unknown>(options: EndStateOptions<I> = {}): Scorer<I> {
  requireOptions('endState', options, optionForms as OptionForms<EndStateOptions<I>>);
  const { read = readState, match = 'exact', check } = options;
  return async (run) => {
    const state = toPlainState(await read(run));
    if (check !== undefined) return check(state, run);
    const { state: declared, stateHash } = run.task.expected ?? {};
    const expected = options.expected === undefined ? declared : await options.expected(run);
    if (expected !== undefined) {
      const differences = compareStates(toPlainState(expected), state, match);
      if (differences.length === 0) return { pass: true };
      return { pass: false, reason: `The end state is wrong.\n${describeDifferences(differences)}` };
    }
    if (stateHash === undefined) return undefined;
    const hash = hashState(state);
    if (hash === stateHash) return { pass: true };
    const reason = `The hash of the end state is ${hash}, expected ${stateHash}. With expected.state, the places are shown.`;
    return { pass: false, reason };
  };
}

/** Computes the hash of a state for `expected.stateHash`: SHA-256 of its canonical JSON. */
export function hashState(state: unknown): string {
  return sha256(canonicalJson(toPlainState(state), () => undefined));
}

function readState({ session, resources }: ScoredRun): unknown {
  return { session: session?.toJSON().slices, resources };
}
