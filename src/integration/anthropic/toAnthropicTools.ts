import type { Anthropic } from '@anthropic-ai/sdk';
import {
  ExternalCallHandler,
  type CompletedCall,
  type ExternalCall,
  type OwnLoopOptions,
} from '../../application/tools/ExternalCallHandler.js';
import type { Application } from '../../application/Application.js';
import { ToolwrightError } from '../../error/ToolwrightError.js';
import type { ModelRequest } from '../../interface/ModelAdapter.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import { isFields } from '../../provider/fields.js';
import { messageTools } from './messageTools.js';

type Tool = Anthropic.Messages.Tool;
type ToolUse = Anthropic.Messages.ToolUseBlock;
type ToolResult = Anthropic.Messages.ToolResultBlockParam;

/** For whom the tools of a loop over Anthropic's client run. */
export interface AnthropicToolsOptions extends OwnLoopOptions {
  /** Ask for arguments that fit the schema exactly, wherever the schema can be said that way; false when left out. */
  readonly strict?: boolean | undefined;
  /** Send the inputs of a tool's examples with the tool; false when left out. */
  readonly inputExamples?: boolean | undefined;
}

/** What the client's tool runner tells of a call. */
export interface AnthropicRunnerCall {
  readonly toolUse?: { readonly id: string } | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

/** A tool with its call, as `client.beta.messages.toolRunner` takes it. */
export type AnthropicRunnableTool = Tool & {
  /** Gives the text that the model reads; throws it where the call has failed, since the runner then says so. */
  readonly run: (input: unknown, call?: AnthropicRunnerCall) => Promise<string>;
  readonly parse: (input: unknown) => unknown;
};

/** The tools of a rendering, for a loop over the official client. */
export interface AnthropicTools {
  /** For the request. */
  readonly tools: Tool[];
  /** For the client's tool runner, which owns the loop. */
  readonly runnable: AnthropicRunnableTool[];
  /** Runs one call, and gives the block that answers it; failures are answers. Throws what `app.callTool` throws. */
  run(block: ToolUse, signal?: AbortSignal): Promise<ToolResult>;
  /** Runs the calls among the blocks of one answer, and gives the block for each in its order; none where there are no calls. */
  answer(content: readonly Anthropic.Messages.ContentBlock[], signal?: AbortSignal): Promise<ToolResult[]>;
}

/**
 * The tools of a rendering for a loop of your own over Anthropic's client: the same validation, context, transaction and event as
 * in a run. The answer to a failed call says what failed, and that it has.
 *
 * @param rendered what `prompt.render()` gave: its text is the system prompt, its tools are these
 * @throws ToolwrightError E722; PromptEvaluationError when the tools exceed the provider's limits
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
  const door = new ExternalCallHandler('toAnthropicTools', app, rendered, options);
  const offered: Pick<ModelRequest, 'toolSchemas' | 'toolExamples'> = {
    toolSchemas: (target, modes) => rendered.toolSchemas(target, modes),
    toolExamples: (name) => door.examplesOf(rendered.tool(name)),
  };
  const modes = { strict, inputExamples, isDeferred: () => false };
  const tools = messageTools('toAnthropicTools', offered, modes) as Tool[];
  return {
    tools,
    runnable: tools.map((tool) => runnable(door, tool)),
    run: async (block, signal) => {
      return write(await door.answered(read(block), signal));
    },
    answer: async (content, signal) => {
      const calls = content.filter(({ type }) => type === 'tool_use');
      return (await door.turn(calls.map(read), signal)).map(write);
    },
  };
}

function runnable(door: ExternalCallHandler, tool: Tool): AnthropicRunnableTool {
  return {
    ...tool,
    run: async (input, { toolUse, signal } = {}) => {
      const outcome = await door.call({ id: toolUse?.id, name: tool.name, arguments: input }, signal);
      if (outcome.kind === 'succeeded') return outcome.text;
      throw new ToolwrightError(outcome.text, { code: 'E601', place: tool.name, cause: outcome.error });
    },
    parse: (input) => input,
  };
}

function read(block: unknown): ExternalCall {
  const { id, name, input } = isFields(block) ? block : {};
  return { id, name, arguments: input };
}

/** A failure without words is refused by the provider. */
function write({ call: { id }, outcome: { kind, text } }: CompletedCall): ToolResult {
  const isFailed = kind !== 'succeeded';
  const content = text.trim() === '' && isFailed ? 'The tool failed.' : text;
  return { type: 'tool_result', tool_use_id: id, content, ...(isFailed ? { is_error: true } : {}) };
}
