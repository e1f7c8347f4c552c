import type { Application, RenderedPrompt } from 'toolwright';
import type { OwnLoopOptions } from 'toolwright/own-loop';
import { OwnLoopHandler } from 'toolwright/internal';
import { writeChatTools } from './writeTools.js';

/** Options of `toOpenAiAgentTools`. */
export interface OpenAIAgentToolsOptions extends OwnLoopOptions {
  /** Requests arguments that fit the schema exactly, for every schema that strict mode supports; true when left out. */
  readonly strict?: boolean | undefined;
}

/** The arguments of a tool, as the runner declares them. */
export interface OpenAIAgentParameters {
  type: 'object';
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: false;
}

/** A function tool of the OpenAI Agents SDK, as its `tool()` returns one. */
export interface OpenAIAgentTool {
  type: 'function';
  name: string;
  description: string;
  parameters: OpenAIAgentParameters;
  strict: boolean;
  /**
   * Runs a call, and returns the text for the model.
   *
   * @param call the id and the signal of the call, as the runner passes them
   */
  invoke: (
    context: unknown,
    input: string,
    call?: { readonly toolCall?: { readonly callId: string } | undefined; readonly signal?: AbortSignal | undefined },
  ) => Promise<string>;
  needsApproval: () => Promise<boolean>;
  isEnabled: () => Promise<boolean>;
}

/**
 * Returns the tools of a rendering for an `Agent` of the OpenAI Agents SDK. The SDK's runner owns the loop; validation, context,
 * transaction and event of a call are the same as in a run. The application's approver decides. An error that a call throws ends
 * the runner's run. The runner keeps its own conversation: an agent made of another rendering sends other tools, which costs the
 * provider's cache and the reasoning that newer models bind to them.
 *
 * @param rendered the result of `prompt.render()`: its text is the agent's `instructions`, its tools are these
 * @throws ToolwrightError E722; PromptEvaluationError if the tools exceed the provider's limits
 * @example
 * const agent = new Agent({ name: 'Desk', instructions: rendered.text, tools: toOpenAiAgentTools(app, rendered, { session }) });
 * const { finalOutput } = await run(agent, 'Where is my order?');
 */
export function toOpenAiAgentTools(
  app: Application,
  rendered: RenderedPrompt,
  { strict = true, ...options }: OpenAIAgentToolsOptions = {},
): OpenAIAgentTool[] {
  const handler = new OwnLoopHandler('toOpenAiAgentTools', app, rendered, options);
  const tools = writeChatTools('toOpenAiAgentTools', rendered.toolSchemas('openai', { strict }));
  return tools.map(({ function: { name, description = '', parameters, strict: isStrict } }) => ({
    type: 'function',
    name,
    description,
    parameters: parameters as unknown as OpenAIAgentParameters,
    strict: isStrict === true,
    invoke: async (_context, input, { toolCall, signal } = {}) => {
      const { text } = await handler.call({ id: toolCall?.callId, name, arguments: input }, signal);
      return text;
    },
    needsApproval: () => Promise.resolve(false),
    isEnabled: () => Promise.resolve(true),
  }));
}
