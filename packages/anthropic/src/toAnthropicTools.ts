import type { Anthropic } from '@anthropic-ai/sdk';
import { type Application, type RenderedPrompt, ToolwrightError } from 'toolwright';
import type { OwnLoopOptions } from 'toolwright/own-loop';
import { type CompletedOutcome, type ExternalCall, OwnLoopHandler } from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';
import { writeMessageTools, type OfferedTools } from './writeMessageTools.js';

type Tool = Anthropic.Messages.Tool;
type ToolUse = Anthropic.Messages.ToolUseBlock;
type ToolResult = Anthropic.Messages.ToolResultBlockParam;

/** Options of `toAnthropicTools`. */
export interface AnthropicToolsOptions extends OwnLoopOptions {
  /** Requests arguments that fit the schema exactly, for every schema that strict mode supports; false when left out. */
  readonly strict?: boolean | undefined;
  /** Sends the inputs of a tool's examples with the tool; false when left out. */
  readonly inputExamples?: boolean | undefined;
}

/** A tool with its call, as `client.beta.messages.toolRunner` takes it. */
export type AnthropicRunnableTool = Tool & {
  /**
   * Returns the text for the model; throws it if the call failed, so that the runner marks the result as an error.
   *
   * @param call the id and the signal of the call, as the runner passes them
   */
  readonly run: (
    input: unknown,
    call?: { readonly toolUse?: { readonly id: string } | undefined; readonly signal?: AbortSignal | null | undefined },
  ) => Promise<string>;
  readonly parse: (input: unknown) => unknown;
};

/** The tools of a rendering, for a loop over the official client. */
export interface AnthropicTools {
  /** For the request. */
  readonly tools: Tool[];
  /** For the client's tool runner, which owns the loop. */
  readonly runnable: AnthropicRunnableTool[];
  /** Runs one call, and returns the block that answers it, also for a failure. Throws the errors of `app.callTool`. */
  run(block: ToolUse, signal?: AbortSignal): Promise<ToolResult>;
  /** Runs the calls among the blocks of one answer, and returns the block for each, in order; an empty list without calls. */
  answer(content: readonly Anthropic.Messages.ContentBlock[], signal?: AbortSignal): Promise<ToolResult[]>;
}

/**
 * Returns the tools of a rendering for a loop of your own over Anthropic's client. Validation, context, transaction and event of a
 * call are the same as in a run. The result of a failed call is marked as an error, and says why it failed.
 *
 * @param rendered the result of `prompt.render()`: its text is the system prompt, its tools are these
 * @throws ToolwrightError E722; PromptEvaluationError if the tools exceed the provider's limits
 * @example
 * const desk = toAnthropicTools(app, rendered, { session });
 * const { content } = await client.messages.create({ model, max_tokens, system: rendered.text, messages, tools: desk.tools });
 * messages.push({ role: 'assistant', content }, { role: 'user', content: await desk.answer(content) });
 */
export function toAnthropicTools(
  app: Application,
  rendered: RenderedPrompt,
  { strict = false, inputExamples = false, ...options }: AnthropicToolsOptions = {},
): AnthropicTools {
  const handler = new OwnLoopHandler('toAnthropicTools', app, rendered, options);
  const offered: OfferedTools = {
    schemas: (modes) => rendered.toolSchemas('anthropic', modes),
    examples: (name) => handler.examplesOf(rendered.tool(name)),
  };
  const modes = { strict, inputExamples, isDeferred: () => false };
  const tools = writeMessageTools('toAnthropicTools', offered, modes) as Tool[];
  return {
    tools,
    runnable: tools.map((tool) => toRunnableTool(handler, tool)),
    run: async (block, signal) => {
      return write(await handler.runCall(read(block), signal));
    },
    answer: async (content, signal) => {
      const calls = content.filter(({ type }) => type === 'tool_use');
      return (await handler.runTurn(calls.map(read), signal)).map(write);
    },
  };
}

function toRunnableTool(handler: OwnLoopHandler, tool: Tool): AnthropicRunnableTool {
  return {
    ...tool,
    run: async (input, { toolUse, signal } = {}) => {
      const outcome = await handler.call({ id: toolUse?.id, name: tool.name, arguments: input }, signal);
      if (outcome.kind === 'succeeded') return outcome.text;
      throw new ToolwrightError(outcome.text, { code: 'E601', place: tool.name, cause: outcome.error });
    },
    parse: (input) => input,
  };
}

function read(block: unknown): ExternalCall {
  const { id, name, input } = isRecord(block) ? block : {};
  return { id, name, arguments: input };
}

/** Writes the result of a call; the provider refuses a failure without text. */
function write({ call: { id }, outcome: { kind, text } }: CompletedOutcome): ToolResult {
  const isFailed = kind !== 'succeeded';
  const content = text.trim() === '' && isFailed ? 'The tool failed.' : text;
  return { type: 'tool_result', tool_use_id: id, content, ...(isFailed ? { is_error: true } : {}) };
}
