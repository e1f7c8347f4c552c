import { aFunction, formOf, MAX_TIMER_MS, type OptionForms, requireOptions, requireValue } from 'toolwright/internal';
import { createHarness, type Harness, toJsonValue } from 'vitest-evals/harness';
import type { EvalOptions } from '../Eval.js';
import { DEFAULT_RUN_TIMEOUT_MS } from '../limits.js';
import { aWholeNumber } from '../optionKinds.js';
import { type UnscoredRun, withRun } from '../run/runTask.js';
import type { EvalTask } from '../tasks/EvalTask.js';
import { describeEvents } from './describeEvents.js';

/** The options of `evalHarness`. */
export interface EvalHarnessOptions<I = string> {
  /** The name in reports. */
  readonly name: string;
  /** Runs a task as in an eval, such as `promptRun({ … })`. */
  readonly run: EvalOptions<I>['run'];
  /** Makes a task of the input that a test passes to `run`; by default one with this input and the id `name`. */
  readonly task?: ((input: I) => EvalTask<I>) | undefined;
  /** Milliseconds after which a run has failed; 5 minutes by default. */
  readonly timeoutMs?: number | undefined;
}

const optionForms: OptionForms<EvalHarnessOptions> = {
  name: formOf('a text', (value) => typeof value === 'string' && value.trim() !== ''),
  run: aFunction,
  task: aFunction,
  timeoutMs: aWholeNumber(MAX_TIMER_MS),
};

/**
 * Creates a harness for `describeEval` of vitest-evals. Its output is the parsed answer, or the text; its session has the messages, the
 * calls and their results. A run that throws fails its test.
 *
 * @throws PromptError E413 for a wrong option
 * @example
 * const harness = evalHarness({ name: 'desk', run: promptRun({ app, prompt: Desk, adapter }) });
 * describeEval('desk', { harness, judges: [ToolCallJudge()] }, (it) => { … });
 */
export function evalHarness<I = string>(options: EvalHarnessOptions<I>): Harness<I> {
  requireOptions('evalHarness', options, optionForms as OptionForms<EvalHarnessOptions<I>>);
  for (const name of ['name', 'run'] as const) requireValue('evalHarness', name, options[name], optionForms[name]);
  const { name, run, timeoutMs = DEFAULT_RUN_TIMEOUT_MS } = options;
  const createTask = options.task ?? ((input: I): EvalTask<I> => ({ id: name, input }));
  return createHarness<I>({
    name,
    run: async ({ input, signal = new AbortController().signal }) =>
      withRun({ run, timeoutMs }, { task: createTask(input), epoch: 1 }, signal, (finished) => ({
        output: toJsonValue(finished.output ?? finished.text ?? undefined),
        events: describeEvents(finished),
        usage: describeUsage(finished),
        timings: { totalMs: finished.durationMs },
        traces: [describeTrace(name, finished)],
        artifacts: finished.cost === undefined ? {} : { cost: finished.cost },
      })),
  });
}

function describeUsage<I>({ usage, calls }: UnscoredRun<I>): Record<string, number> {
  const { inputTokens, outputTokens, totalTokens, reasoningTokens } = usage ?? {};
  const counts = { inputTokens, outputTokens, totalTokens, reasoningTokens, toolCalls: calls.length };
  return Object.fromEntries(
    Object.entries(counts).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}

function describeTrace<I>(name: string, { calls, durationMs }: UnscoredRun<I>) {
  const root = { id: 'run', name, kind: 'run' as const, durationMs, status: 'ok' as const };
  const tools = calls.map((call, index) => ({
    id: `call-${String(index + 1)}`,
    parentId: root.id,
    name: `execute_tool ${call.name}`,
    kind: 'tool' as const,
    status: call.failed ? ('error' as const) : ('ok' as const),
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': call.name },
  }));
  return { name, durationMs, spans: [root, ...tools] };
}
