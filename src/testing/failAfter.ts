import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import { didYouMean, joinBounded, quote } from '../common/text.js';
import { createPlacedError, type ToolwrightError } from '../error/ToolwrightError.js';
import type { Interceptor } from '../interface/Interceptor.js';
import type { PromptView } from '../interface/PromptView.js';

/** Options of `failAfter`. */
export interface FailAfterOptions {
  /** The number of the call of the tool that fails, from 1. By default, every call fails. */
  readonly call?: number | undefined;
  /** Thrown instead of an `InjectedFailure`. */
  readonly error?: Error | undefined;
}

const optionNames: OptionNames<FailAfterOptions> = { call: 1, error: 1 };

/** An interceptor that makes calls fail. */
export interface FailingInterceptor extends Interceptor {
  /** Number of calls that it has made fail so far. A test should assert the expected number. */
  readonly injected: number;
}

/**
 * Returns an interceptor that lets a handler finish and then fails its call, so that all its changes must be undone. A
 * run ends with an error if its prompt has no tool of that name.
 *
 * @param tool name of the tool; `*` for every tool
 * @throws ToolwrightError E737, from the run, for a tool that does not exist; PromptError E413 for an unknown option
 * @example
 * const failing = failAfter('cancel_order');
 * const app = await createApplication({ prompts: [Desk], interceptors: [failing] });
 * // …
 * expect(failing.injected).toBe(1);
 */
export function failAfter(tool: string, options: FailAfterOptions = {}): FailingInterceptor {
  requireOptionNames('failAfter', options, optionNames);
  const { call, error } = options;
  let calls = 0;
  let injected = 0;
  let isKnown = tool === '*';
  let depth = 0;
  const check = async (prompt: PromptView): Promise<void> => {
    const names = (await prompt.tools()).map(({ name }) => name);
    isKnown ||= names.includes(tool);
    // Prompts within a run may have the tool. Only after the outermost one has ended is it certain that none did.
    if (!isKnown && depth === 0) throw createNoSuchToolError(tool, prompt, names);
  };
  return {
    get injected() {
      return injected;
    },
    async aroundRun({ prompt }, next) {
      depth++;
      try {
        await next();
      } finally {
        depth--;
      }
      if (!isKnown) await check(prompt);
    },
    async aroundTool({ tool: called }, next) {
      await next();
      if (tool !== '*' && called.name !== tool) return;
      isKnown = true;
      calls++;
      if (call !== undefined && call !== calls) return;
      injected++;
      throw error ?? new InjectedFailure(`injected after ${called.name}, call ${String(calls)}`);
    },
  };
}

function createNoSuchToolError(tool: string, prompt: PromptView, names: readonly string[]): ToolwrightError {
  const near = didYouMean(tool, names);
  const problem = `${prompt.ns}/${prompt.key} has no tool of this name, and nothing failed.${near} It has: ${joinBounded(names)}`;
  return createPlacedError(problem, { code: 'E737', place: `failAfter(${quote(tool)})` });
}

/** The error of an injected failure. */
export class InjectedFailure extends Error {
  override readonly name = 'InjectedFailure';
}
