import { context as activeContext } from '@opentelemetry/api';
import {
  aBoolean,
  aFunction,
  formOf,
  MAX_TIMER_MS,
  type OptionForms,
  requireOptions,
  requireValue,
} from 'toolwright/internal';
import { messageOf } from 'toolwright/internal/light';
import type { EvalCall, EvalOptions } from '../Eval.js';
import { DEFAULT_RUN_TIMEOUT_MS } from '../limits.js';
import { aWholeNumber } from '../optionKinds.js';
import { listRounds } from '../run/listRounds.js';
import { type UnscoredRun, withRun } from '../run/runTask.js';
import type { EvalTask } from '../tasks/EvalTask.js';
import { readTraceparent, writeSpans } from './writeSpans.js';

/** The options of `promptfooProvider`. */
export interface PromptfooProviderOptions {
  /** The name of the provider in promptfoo's reports. */
  readonly id: string;
  /** Runs a task as in an eval, such as `promptRun({ … })`. The input is the rendered prompt, the metadata are promptfoo's `vars`. */
  readonly run: EvalOptions<string>['run'];
  /** Milliseconds after which a run has failed; 5 minutes by default. */
  readonly timeoutMs?: number | undefined;
  /**
   * Reports rounds and calls as spans; true by default. Pass false for an application with `openTelemetry({ captureContent: true })`:
   * promptfoo reads the spans of its calls, and would count each call twice.
   */
  readonly spans?: boolean | undefined;
}

/** The parts of promptfoo's context that the provider reads. */
export interface PromptfooContext {
  readonly vars?: Readonly<Record<string, unknown>> | undefined;
  /** The W3C trace context of the test; missing when tracing is off. */
  readonly traceparent?: string | undefined;
  readonly testCaseId?: string | undefined;
  /** The number of the repeat, from 0. */
  readonly repeatIndex?: number | undefined;
}

/** Tokens of a run, and the number of its requests, in promptfoo's form. */
export interface PromptfooTokens {
  readonly prompt?: number | undefined;
  readonly completion?: number | undefined;
  readonly total?: number | undefined;
  readonly numRequests?: number | undefined;
}

/** An answer in promptfoo's form. */
export interface PromptfooResponse {
  /** The parsed answer, or its text. */
  readonly output?: unknown;
  /** Why the run failed. */
  readonly error?: string | undefined;
  readonly tokenUsage?: PromptfooTokens | undefined;
  readonly cost?: number | undefined;
  readonly metadata?: { readonly calls: readonly EvalCall[]; readonly turns?: number | undefined } | undefined;
}

/** A provider as promptfoo uses it. */
export interface PromptfooProvider {
  readonly id: () => string;
  readonly callApi: (
    prompt: string,
    context?: PromptfooContext,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<PromptfooResponse>;
}

const optionForms: OptionForms<PromptfooProviderOptions> = {
  id: formOf('a text', (value) => typeof value === 'string' && value.trim() !== ''),
  run: aFunction,
  timeoutMs: aWholeNumber(MAX_TIMER_MS),
  spans: aBoolean,
};

/**
 * Creates the class of a provider, which a file provider of promptfoo exports as its default. Rounds and calls become spans below
 * `context.traceparent`, for the `trajectory` assertions of promptfoo.
 *
 * @throws PromptError E413 for a wrong option
 * @example
 * // provider.mjs, which promptfooconfig.yaml names as file://provider.mjs
 * export default promptfooProvider({ id: 'desk', run: promptRun({ app, prompt: Desk, adapter }) });
 */
export function promptfooProvider(options: PromptfooProviderOptions): new () => PromptfooProvider {
  requireOptions('promptfooProvider', options, optionForms);
  for (const name of ['id', 'run'] as const) requireValue('promptfooProvider', name, options[name], optionForms[name]);
  const { id, run, timeoutMs = DEFAULT_RUN_TIMEOUT_MS, spans = true } = options;
  return class implements PromptfooProvider {
    readonly id = (): string => id;

    readonly callApi: PromptfooProvider['callApi'] = async (prompt, context = {}, { abortSignal } = {}) => {
      const { traceparent, testCaseId = id, repeatIndex = 0, vars } = context;
      const task: EvalTask<string> = { id: testCaseId, input: prompt, metadata: vars };
      const parent = readTraceparent(traceparent);
      const signal = abortSignal ?? new AbortController().signal;
      const answer = (): Promise<PromptfooResponse> =>
        withRun({ run, timeoutMs }, { task, epoch: repeatIndex + 1 }, signal, (finished) => {
          if (spans && parent !== undefined) writeSpans(parent, listRounds(finished));
          return describeResponse(finished);
        });
      try {
        // Spans of the application continue the trace of the test, too.
        return await (parent === undefined ? answer() : activeContext.with(parent, answer));
      } catch (error) {
        signal.throwIfAborted();
        return { error: messageOf(error) };
      }
    };
  };
}

function describeResponse({ output, text, usage, cost, turns, calls }: UnscoredRun<string>): PromptfooResponse {
  const counts = {
    prompt: usage?.inputTokens,
    completion: usage?.outputTokens,
    total: usage?.totalTokens,
    numRequests: turns,
  };
  return {
    output: output ?? text ?? '',
    tokenUsage: leaveOutUndefined(counts),
    ...(cost === undefined ? {} : { cost }),
    metadata: { calls, ...(turns === undefined ? {} : { turns }) },
  };
}

/** Promptfoo adds counts up, and an undefined one would make the sum not a number. */
function leaveOutUndefined<T extends object>(record: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
