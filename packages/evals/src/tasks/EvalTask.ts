/** A task of an eval: the input of a run, and its expectations. Scorers without their expectation do not apply. */
export interface EvalTask<I = unknown> {
  /** Unique within the eval. */
  readonly id: string;
  /** Tasks of one group, such as variants of one question, are not independent: intervals treat them as one cluster. */
  readonly group?: string | undefined;
  /** The input; `promptRun` takes a text or a list of messages. */
  readonly input: I;
  readonly expected?: EvalExpectation | undefined;
  /** Data of your own for `run` and scorers. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The expectations of a task. */
export interface EvalExpectation {
  /** The calls for `trajectory`. */
  readonly calls?: readonly ExpectedCall[] | undefined;
  /** The text of the answer for `answerText`. */
  readonly text?: string | undefined;
  /** The parsed answer for `answerOutput`. */
  readonly output?: unknown;
  /** The end state for `endState`. */
  readonly state?: unknown;
  /** The hash of the end state for `endState`, as its reason shows it. */
  readonly stateHash?: string | undefined;
}

/** A call that is expected. */
export interface ExpectedCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

/** The path of a JSONL file, a list, or a function that returns the tasks. It is called more than once, for the same tasks. */
export type TaskSource<I = unknown> =
  string | readonly EvalTask<I>[] | (() => Iterable<EvalTask<I>> | AsyncIterable<EvalTask<I>>);
