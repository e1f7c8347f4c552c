import Anthropic from '@anthropic-ai/sdk';
import {
  Agent,
  Runner,
  Usage,
  type AgentInputItem,
  type Model,
  type ModelResponse as AgentResponse,
} from '@openai/agents';
import { generateText, simulateReadableStream, stepCountIs, streamText, type ModelMessage } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import OpenAI from 'openai';
import type { Application, RenderedPrompt } from 'toolwright';
import { toAiTools } from '@toolwright/ai-sdk';
import { toAnthropicTools } from '@toolwright/anthropic';
import { toOpenAiAgentTools, toOpenAiTools } from '@toolwright/openai';
import { toStandardTools, type OwnLoopOptions } from 'toolwright/own-loop';
import { KEY as ANTHROPIC_KEY, message } from '../../../anthropic/spec/support/client';
import { messagesWire } from '../../../anthropic/spec/support/wire';
import { KEY as OPENAI_KEY } from '../../../openai/spec/support/client';
import { isJson, objects, shown } from '../../../openai/spec/support/json';
import { answer, ProviderDouble, raw } from '../../../openai/spec/support/ProviderDouble';
import { callItem, reasoningItem, responseOf, saidItem } from '../../../openai/spec/support/responses';
import { responsesWire } from '../../../openai/spec/support/responsesWire';

/** A call as a model makes it; its arguments are JSON text. */
export interface LoopCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A foreign loop: its model makes the calls in one turn, reads the answers, and ends. */
export type Loop = (
  app: Application,
  rendered: RenderedPrompt,
  calls: readonly LoopCall[],
  options: OwnLoopOptions,
) => Promise<readonly string[]>;

type ModelContent = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
type Stream = Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'];
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** The answers of a model of the AI SDK: the calls, then a text. */
export function aiAnswers(calls: readonly LoopCall[]): [ModelContent, ModelContent] {
  const content = calls.map(
    ({ id, name, arguments: input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input }) as const,
  );
  return [
    { content, finishReason: { unified: 'tool-calls', raw: 'tool_use' }, usage, warnings: [] },
    { content: [{ type: 'text', text: 'Done.' }], finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] },
  ];
}

const direct: Loop = async (app, rendered, calls, { onLeave: _onLeave, ...options }) =>
  (await app.callTools(rendered, calls, options)).map(({ text }) => text);

const standard: Loop = (app, rendered, calls, options) => {
  const tools = new Map(toStandardTools(app, rendered, options).map((tool) => [tool.name, tool]));
  return Promise.all(
    calls.map(
      async ({ id, name, arguments: args }) => (await tools.get(name)?.execute(args, { callId: id }))?.text ?? '',
    ),
  );
};

const generated: Loop = async (app, rendered, calls, options) => {
  const model = new MockLanguageModelV3({ doGenerate: aiAnswers(calls) });
  const tools = toAiTools(app, rendered, options);
  const { response } = await generateText({ model, tools, prompt: 'Go.', stopWhen: stepCountIs(5), maxRetries: 0 });
  return outputsIn(response.messages);
};

const streamed: Loop = async (app, rendered, calls, options) => {
  const streams = aiAnswers(calls).map(({ content, finishReason }) => {
    const chunks: StreamPart[] = [{ type: 'stream-start', warnings: [] }];
    for (const part of content) {
      if (part.type === 'tool-call') chunks.push(part);
      if (part.type !== 'text') continue;
      chunks.push({ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: part.text });
      chunks.push({ type: 'text-end', id: 't' });
    }
    chunks.push({ type: 'finish', finishReason, usage });
    return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
  });
  const model = new MockLanguageModelV3({ doStream: streams });
  const tools = toAiTools(app, rendered, options);
  const result = streamText({ model, tools, prompt: 'Go.', stopWhen: stepCountIs(5), maxRetries: 0 });
  return outputsIn((await result.response).messages);
};

const chat: Loop = async (app, rendered, calls, options) => {
  const double = await ProviderDouble.start(answer({ toolCalls: [...calls] }), answer({ content: 'Done.' }));
  try {
    const client = new OpenAI({ apiKey: OPENAI_KEY, baseURL: double.baseURL, maxRetries: 0 });
    const desk = toOpenAiTools(app, rendered, { api: 'chat', ...options });
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Go.' }];
    for (;;) {
      const { choices } = await client.chat.completions.create({ model: 'm', messages, tools: desk.tools });
      const said = choices[0]?.message;
      if (said?.tool_calls === undefined) break;
      messages.push(said, ...(await desk.answer(said.tool_calls)));
    }
    const told = double.requests[1]?.body.messages ?? [];
    return told.filter(({ role }) => role === 'tool').map(({ content }) => shown(content));
  } finally {
    await double.stop();
  }
};

const responses: Loop = async (app, rendered, calls, options) => {
  const items = calls.map(({ id, name, arguments: args }) => callItem(id, name, args, { id: `fc_${id}` }));
  const double = await ProviderDouble.speaking(
    responsesWire,
    raw(200, JSON.stringify(responseOf([reasoningItem('rs_1'), ...items]))),
    raw(200, JSON.stringify(responseOf([saidItem('Done.')]))),
  );
  try {
    const client = new OpenAI({ apiKey: OPENAI_KEY, baseURL: double.baseURL, maxRetries: 0 });
    const desk = toOpenAiTools(app, rendered, { api: 'responses', ...options });
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Go.' }];
    const include: OpenAI.Responses.ResponseIncludable[] = ['reasoning.encrypted_content'];
    for (;;) {
      const { tools } = desk;
      const { output } = await client.responses.create({ model: 'm', input, tools, store: false, include });
      const answers = await desk.answer(output);
      if (answers.length === 0) break;
      input.push(...(output as OpenAI.Responses.ResponseInputItem[]), ...answers);
    }
    const told = objects(double.requests[1]?.body['input']).map(([, item]) => item);
    return told.filter(({ type }) => type === 'function_call_output').map(({ output }) => shown(output));
  } finally {
    await double.stop();
  }
};

const agents: Loop = async (app, rendered, calls, options) => {
  const model = new ScriptedAgentModel(calls);
  const agent = new Agent({ name: 'Desk', model, tools: toOpenAiAgentTools(app, rendered, options) });
  await new Runner({ tracingDisabled: true }).run(agent, 'Go.');
  return model.read;
};

const messages: Loop = async (app, rendered, calls, options) => {
  const double = await anthropicDouble(calls);
  try {
    const client = new Anthropic({ apiKey: ANTHROPIC_KEY, baseURL: double.baseURL, maxRetries: 0 });
    const desk = toAnthropicTools(app, rendered, options);
    const said: Anthropic.MessageParam[] = [{ role: 'user', content: 'Go.' }];
    for (;;) {
      const request = { model: 'm', max_tokens: 100, messages: said, tools: desk.tools };
      const { content, stop_reason } = await client.messages.create(request);
      if (stop_reason !== 'tool_use') break;
      said.push({ role: 'assistant', content }, { role: 'user', content: await desk.answer(content) });
    }
    return resultsIn(double);
  } finally {
    await double.stop();
  }
};

const toolRunner: Loop = async (app, rendered, calls, options) => {
  const double = await anthropicDouble(calls);
  try {
    const client = new Anthropic({ apiKey: ANTHROPIC_KEY, baseURL: double.baseURL, maxRetries: 0 });
    const tools = toAnthropicTools(app, rendered, options).runnable;
    const said = [{ role: 'user' as const, content: 'Go.' }];
    await client.beta.messages.toolRunner({ model: 'm', max_tokens: 100, messages: said, tools, thread: false });
    // The runner says before a failure that it is one.
    return resultsIn(double).map((text) => text.replace(/^Error: /, ''));
  } finally {
    await double.stop();
  }
};

/** Each loop that the package has tools for; `direct` is the application itself. */
export const loops = {
  direct,
  standard,
  generated,
  streamed,
  chat,
  responses,
  agents,
  messages,
  toolRunner,
} as const satisfies Readonly<Record<string, Loop>>;

/** A model of the Agents SDK that makes the calls, and keeps what it is answered. */
class ScriptedAgentModel implements Model {
  read: readonly string[] = [];
  readonly #calls: readonly LoopCall[];

  constructor(calls: readonly LoopCall[]) {
    this.#calls = calls;
  }

  getResponse({ input }: { readonly input: string | AgentInputItem[] }): Promise<AgentResponse> {
    const results = typeof input === 'string' ? [] : input.filter(({ type }) => type === 'function_call_result');
    if (results.length > 0) {
      this.read = results.map((item) => outputOf(item));
      const content = [{ type: 'output_text' as const, text: 'Done.' }];
      const output = [{ type: 'message' as const, role: 'assistant' as const, status: 'completed' as const, content }];
      return Promise.resolve({ usage: new Usage(), output });
    }
    const output = this.#calls.map(({ id: callId, name, arguments: args }) => ({
      type: 'function_call' as const,
      callId,
      name,
      arguments: args,
      status: 'completed' as const,
    }));
    return Promise.resolve({ usage: new Usage(), output });
  }

  getStreamedResponse(): never {
    throw new TypeError('nobody streams here');
  }
}

function outputOf(item: unknown): string {
  const output = isJson(item) ? item['output'] : undefined;
  return shown(isJson(output) ? output['text'] : output);
}

function anthropicDouble(calls: readonly LoopCall[]): Promise<ProviderDouble> {
  const blocks = calls.map(({ id, name, arguments: args }) => ({
    type: 'tool_use',
    id,
    name,
    input: JSON.parse(args) as unknown,
  }));
  return ProviderDouble.speaking(
    messagesWire,
    raw(200, JSON.stringify(message(blocks, { stop_reason: 'tool_use' }))),
    raw(200, JSON.stringify(message([{ type: 'text', text: 'Done.' }]))),
  );
}

function resultsIn(double: ProviderDouble): readonly string[] {
  const told = double.requests[1]?.body.messages.at(-1);
  return objects(told?.['content']).map(([, { content }]) => shown(content));
}

function outputsIn(said: readonly ModelMessage[]): readonly string[] {
  return said.flatMap(({ role, content }) =>
    role === 'tool'
      ? content.flatMap((part) =>
          part.type === 'tool-result' && 'value' in part.output ? [shown(part.output.value)] : [],
        )
      : [],
  );
}
