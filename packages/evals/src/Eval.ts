import type { Message, PromptResponse, Session, Usage } from 'toolwright';
import {
  aFunction,
  anObject,
  aText,
  formOf,
  MAX_TIMER_MS,
  type OptionForms,
  requireOptions,
  requireValue,
} from 'toolwright/internal';
import { didYouMean, isRecord, quote } from 'toolwright/internal/light';
import { EvalError } from './EvalError.js';
import { describeJson } from './describeJson.js';
import { aWholeNumber } from './optionKinds.js';
import {
  DEFAULT_CONCURRENCY,
  DEFAULT_RUN_TIMEOUT_MS,
  DEFAULT_SCORE_TIMEOUT_MS,
  MAX_CONCURRENCY,
  MAX_EPOCHS,
} from './limits.js';
import type { EvalTask, TaskSource } from './tasks/EvalTask.js';

type Awaitable<T> = T | PromiseLike<T>;

/** A call of a tool that a run made. */
export interface EvalCall {
  readonly name: string;
  /** The parsed arguments, or the text of the model if it is not JSON. */
  readonly arguments: unknown;
  /** True if the model read a failure. */
  readonly failed: boolean;
}

/** The result of a run, for the scorers. Everything but `response` or `text` may be left out. */
export interface EvalRun {
  /** The response of `app.evaluate`. */
  readonly response?: PromptResponse | undefined;
  /** The session after the run. */
  readonly session?: Session | undefined;
  /** State outside of the session by name: tables, maps, or plain data. */
  readonly resources?: Readonly<Record<string, unknown>> | undefined;
  /** Replaces the text of the response; for agents without Toolwright. */
  readonly text?: string | null | undefined;
  /** Replaces the parsed answer of the response. */
  readonly output?: unknown;
  /** Replaces the calls in the transcript of the response. */
  readonly calls?: readonly EvalCall[] | undefined;
  /** Replaces the usage of the response, for example to include nested runs. */
  readonly usage?: Usage | undefined;
  /** Replaces the cost of the response. */
  readonly cost?: number | undefined;
}

/** Passed to `run` beside the task. */
export interface RunContext {
  /** The number of the repeat, from 1. */
  readonly epoch: number;
  /** Aborted after `timeoutMs`, and when the eval is interrupted. */
  readonly signal: AbortSignal;
  /** Calls the function after the scorers, whatever happens: to close the application of this run. */
  readonly defer: (work: () => Awaitable<unknown>) => void;
}

/** A finished run, as scorers get it. */
export interface ScoredRun<I = unknown> {
  readonly task: EvalTask<I>;
  readonly epoch: number;
  /** The text of the answer. */
  readonly text: string | null;
  /** The parsed answer. */
  readonly output: unknown;
  /** The calls that the model made, in order. */
  readonly calls: readonly EvalCall[];
  readonly transcript: readonly Message[];
  readonly session: Session | undefined;
  readonly resources: Readonly<Record<string, unknown>>;
  readonly usage: Usage | undefined;
  readonly cost: number | undefined;
  /** Requests to the model; undefined without a response. */
  readonly turns: number | undefined;
  readonly durationMs: number;
  /** Aborted after `scoreTimeoutMs`, and when the eval is interrupted. */
  readonly signal: AbortSignal;
}

/** The score of a run. */
export interface Score {
  /** Left out for scores that have no threshold. */
  readonly pass?: boolean | undefined;
  /** From 0 to 1; 1 or 0 by `pass` when left out. */
  readonly value?: number | undefined;
  /** Why, for a person. */
  readonly reason?: string | undefined;
}

/** Scores a run: true or false, a number from 0 to 1, a `Score`, or undefined if it does not apply to the task. */
export type Scorer<I = unknown> = (run: ScoredRun<I>) => Awaitable<Score | boolean | number | undefined>;

/** The minimum of a scorer, from 0 to 1. */
export interface EvalGate {
  /** The share of runs that pass. */
  readonly share?: number | undefined;
  /** The mean of the values. */
  readonly mean?: number | undefined;
  /** The lower end of the 95 % interval of the share. */
  readonly lower?: number | undefined;
}

/** The options of `defineEval`. `I` is the type of the inputs. */
export interface EvalOptions<I = unknown> {
  readonly name: string;
  /** A JSONL file, a list, or a function that returns the tasks. */
  readonly tasks: TaskSource<I>;
  /** Runs one task. It must not share state with other runs; `promptRun` makes one of a prompt. */
  readonly run: (task: EvalTask<I>, context: RunContext) => Awaitable<EvalRun>;
  /** Scorers by name. Without one, a run passes if it does not throw. */
  readonly score?: Readonly<Record<string, Scorer<I>>> | undefined;
  /** Minimums by the name of a scorer, or `overall`: runs that every scorer passes. Without gates, every run has to pass. */
  readonly gates?: Readonly<Record<string, EvalGate>> | undefined;
  /** How often each task runs; 1 by default. */
  readonly epochs?: number | undefined;
  /** Runs at the same time; 4 by default. */
  readonly concurrency?: number | undefined;
  /** Milliseconds after which a run has failed; 5 minutes by default. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds after which a scorer has failed; 1 minute by default. */
  readonly scoreTimeoutMs?: number | undefined;
  /** A text that changes with the prompt, model or scorers. Results of another version are never continued. */
  readonly version?: string | undefined;
}

/** An eval with all its settings. */
export type Eval<I = unknown> = {
  readonly [K in keyof Omit<EvalOptions<I>, 'version'>]-?: NonNullable<EvalOptions<I>[K]>;
} & Pick<EvalOptions<I>, 'version'>;

/** The name under which reports have the runs that every scorer passes. */
export const OVERALL = 'overall';

const someMs = aWholeNumber(MAX_TIMER_MS);
const optionForms: OptionForms<EvalOptions> = {
  name: formOf('a text', (value) => typeof value === 'string' && value.trim() !== ''),
  tasks: formOf('a path, a list of tasks, or a function', (value) => {
    return ['string', 'function'].includes(typeof value) || Array.isArray(value);
  }),
  run: aFunction,
  score: formOf('functions by name', (value) => {
    return isRecord(value) && Object.values(value).every((scorer) => typeof scorer === 'function');
  }),
  gates: anObject,
  epochs: aWholeNumber(MAX_EPOCHS),
  concurrency: aWholeNumber(MAX_CONCURRENCY),
  timeoutMs: someMs,
  scoreTimeoutMs: someMs,
  version: aText,
};

/**
 * Defines an eval, which `runEval`, `evalTests` and `toolwright eval` run.
 *
 * @throws PromptError E413 for a wrong option; EvalError E997 for a wrong gate
 * @example
 * export default defineEval({
 *   name: 'seats',
 *   tasks: './seats.jsonl',
 *   run: promptRun({ app, prompt: Desk, adapter }),
 *   score: { calls: trajectory({ mode: 'superset' }), state: endState() },
 *   gates: { state: { share: 0.9 } },
 *   epochs: 3,
 * });
 */
export function defineEval<I = unknown>(options: EvalOptions<I>): Eval<I> {
  requireOptions('defineEval', options, optionForms as OptionForms<EvalOptions<I>>);
  for (const name of ['name', 'tasks', 'run'] as const)
    requireValue('defineEval', name, options[name], optionForms[name]);
  const score = { ...options.score };
  const gates = { ...options.gates };
  requireGates(gates, Object.keys(score));
  return Object.freeze({
    name: options.name,
    tasks: options.tasks,
    run: options.run,
    score,
    gates,
    epochs: options.epochs ?? 1,
    concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
    timeoutMs: options.timeoutMs ?? DEFAULT_RUN_TIMEOUT_MS,
    scoreTimeoutMs: options.scoreTimeoutMs ?? DEFAULT_SCORE_TIMEOUT_MS,
    version: options.version,
  });
}

/** @throws EvalError E997 */
function requireGates(gates: Readonly<Record<string, EvalGate>>, scorers: readonly string[]): void {
  if (scorers.includes(OVERALL))
    throw new EvalError(`${OVERALL} is the name of the runs that all scorers pass`, {
      code: 'E997',
      place: 'score',
      remedy: 'Give the scorer another name.',
    });
  const names = [...scorers, OVERALL];
  for (const [name, gate] of Object.entries(gates)) {
    const place = `gates.${name}`;
    if (!names.includes(name)) {
      const near = didYouMean(name, names) || ` There are: ${names.join(', ')}.`;
      throw new EvalError(`there is no scorer ${quote(name)}.${near}`, { code: 'E997', place });
    }
    const minimums: readonly (readonly [string, unknown])[] = isRecord(gate) ? Object.entries(gate) : [];
    const isMinimum = ([kind, minimum]: readonly [string, unknown]): boolean =>
      ['share', 'mean', 'lower'].includes(kind) && typeof minimum === 'number' && minimum >= 0 && minimum <= 1;
    if (minimums.length === 0 || !minimums.every(isMinimum))
      throw new EvalError(`it is ${describeJson(gate)}`, { code: 'E997', place });
  }
}
