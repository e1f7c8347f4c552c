import type { OpenAI } from 'openai';
import type { ChatCompletionMessageToolCall } from 'openai/resources';
import type { Application, RenderedPrompt } from 'toolwright';
import type { OwnLoopOptions } from 'toolwright/own-loop';
import { type ExternalCall, OwnLoopHandler } from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';
import { writeChatTools, writeResponseTools } from './writeTools.js';

type ChatTool = OpenAI.Chat.Completions.ChatCompletionFunctionTool;
type ChatAnswer = OpenAI.Chat.Completions.ChatCompletionToolMessageParam;
type ResponseTool = OpenAI.Responses.FunctionTool;
type ResponseItem = OpenAI.Responses.ResponseOutputItem;
type ResponseAnswer = OpenAI.Responses.ResponseInputItem.FunctionCallOutput;

/** Options of `toOpenAiTools`. */
export interface OpenAIToolsOptions extends OwnLoopOptions {
  readonly api: 'chat' | 'responses';
  /** Requests arguments that fit the schema exactly, for every schema that strict mode supports; true when left out. */
  readonly strict?: boolean | undefined;
}

/** The tools of a rendering, for a loop over the official client. */
export interface OpenAITools<Tool, Call, Answer> {
  /** For the request. */
  readonly tools: Tool[];
  /** Runs one call, and returns the message that answers it, also for a failure. Throws the errors of `app.callTool`. */
  run(call: Call, signal?: AbortSignal): Promise<Answer>;
  /** Runs the calls of one turn, and returns the answer to each, in order; items that are not function calls are skipped. */
  answer(calls: readonly Call[] | null | undefined, signal?: AbortSignal): Promise<Answer[]>;
}

/** The form of calls and answers in one of the APIs. */
interface Form<Call, Answer> {
  readonly type: string;
  readonly read: (call: Call) => ExternalCall;
  readonly write: (id: string, text: string) => Answer;
}

const chatForm: Form<ChatCompletionMessageToolCall, ChatAnswer> = {
  type: 'function',
  read: (call) => {
    const { id, function: called } = call as unknown as Readonly<Record<string, unknown>>;
    return { id, ...(isRecord(called) ? { name: called['name'], arguments: called['arguments'] } : {}) };
  },
  write: (id, content) => ({ role: 'tool', tool_call_id: id, content }),
};

const responseForm: Form<ResponseItem, ResponseAnswer> = {
  type: 'function_call',
  read: (item) => {
    const { call_id: id, name, arguments: given } = item as unknown as Readonly<Record<string, unknown>>;
    return { id, name, arguments: given };
  },
  write: (id, output) => ({ type: 'function_call_output', call_id: id, output }),
};

/**
 * Returns the tools of a rendering for a loop of your own over OpenAI's client, in the form of Chat Completions or of Responses.
 * Validation, context, transaction and event of a call are the same as in a run. The result of a failed call says why it failed. The
 * tools belong to the rendering: a loop that renders again to open a section sends other tools, which costs the provider's cache
 * and the reasoning that newer models bind to them. Render once with everything open, or leave conversations to `app.evaluate`.
 *
 * @param rendered the result of `prompt.render()`: its text is the system prompt, its tools are these
 * @throws ToolwrightError E722; PromptEvaluationError if the tools exceed the provider's limits
 * @example
 * const desk = toOpenAiTools(app, rendered, { api: 'chat', session });
 * const { message } = (await client.chat.completions.create({ model, messages, tools: desk.tools })).choices[0];
 * messages.push(message, ...(await desk.answer(message.tool_calls)));
 */
export function toOpenAiTools(
  app: Application,
  rendered: RenderedPrompt,
  options: OpenAIToolsOptions & { readonly api: 'chat' },
): OpenAITools<ChatTool, ChatCompletionMessageToolCall, ChatAnswer>;
export function toOpenAiTools(
  app: Application,
  rendered: RenderedPrompt,
  options: OpenAIToolsOptions & { readonly api: 'responses' },
): OpenAITools<ResponseTool, ResponseItem, ResponseAnswer>;
export function toOpenAiTools(
  app: Application,
  rendered: RenderedPrompt,
  { api, strict = true, ...options }: OpenAIToolsOptions,
):
  | OpenAITools<ChatTool, ChatCompletionMessageToolCall, ChatAnswer>
  | OpenAITools<ResponseTool, ResponseItem, ResponseAnswer> {
  const handler = new OwnLoopHandler('toOpenAiTools', app, rendered, options);
  const schemas = rendered.toolSchemas('openai', { strict });
  if (api === 'chat') return { tools: writeChatTools('toOpenAiTools', schemas), ...createAnswerer(handler, chatForm) };
  const tools = writeResponseTools('toOpenAiTools', schemas) as ResponseTool[];
  return { tools, ...createAnswerer(handler, responseForm) };
}

function createAnswerer<Call, Answer>(
  handler: OwnLoopHandler,
  { type, read, write }: Form<Call, Answer>,
): Omit<OpenAITools<never, Call, Answer>, 'tools'> {
  return {
    run: async (call, signal) => {
      const { call: asked, outcome } = await handler.runCall(read(call), signal);
      return write(asked.id, outcome.text);
    },
    answer: async (calls, signal) => {
      const functions = (calls ?? []).filter((call) => ((call as { type?: unknown }).type ?? type) === type);
      const answered = await handler.runTurn(functions.map(read), signal);
      return answered.map(({ call, outcome }) => write(call.id, outcome.text));
    },
  };
}
