import type { Anthropic } from '@anthropic-ai/sdk';
import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV4,
  LanguageModelV4CallOptions,
} from '@ai-sdk/provider' with { 'resolution-mode': 'import' };
import { Agent } from '@openai/agents';
import { ToolLoopAgent, type LanguageModel, type ToolSet } from 'ai';
import type { ToolSet as ToolSetOf7 } from 'ai7' with { 'resolution-mode': 'import' };
import type { OpenAI } from 'openai';
import type { Application, RenderedPrompt } from 'toolwright';
import { type AiModelRequest, AiSdkAdapter, toAiTools } from '@toolwright/ai-sdk';
import { toAnthropicTools } from '@toolwright/anthropic';
import { toOpenAiAgentTools, toOpenAiTools } from '@toolwright/openai';

declare const app: Application;
declare const rendered: RenderedPrompt;
declare const v3: LanguageModelV3;
declare const v4: LanguageModelV4;
declare const model: LanguageModel;
declare const call: AiModelRequest;

// Models of both specifications are taken, and what they are asked fits both.
export const adapters = [new AiSdkAdapter({ model: v3 }), new AiSdkAdapter({ model: v4 })];
export const asV3 = { ...call, prompt: [] } satisfies Omit<LanguageModelV3CallOptions, 'tools' | 'responseFormat'>;
export const asV4 = { ...call, prompt: [] } satisfies Omit<LanguageModelV4CallOptions, 'tools' | 'responseFormat'>;

// @ts-expect-error: the name of a model is no model
export const named = new AiSdkAdapter({ model: 'openai/gpt-5-mini' });
// @ts-expect-error an older specification
export const older = new AiSdkAdapter({ model: { ...v3, specificationVersion: 'v2' } });

// The tools are those of each loop.
export const of6: ToolSet = toAiTools(app, rendered);
export const of7: ToolSetOf7 = toAiTools(app, rendered);
export const loop = new ToolLoopAgent({ model, tools: toAiTools(app, rendered) });
export const agent = new Agent({ name: 'Desk', tools: toOpenAiAgentTools(app, rendered) });
export const chat: OpenAI.Chat.ChatCompletionTool[] = toOpenAiTools(app, rendered, { api: 'chat' }).tools;
export const responses: OpenAI.Responses.Tool[] = toOpenAiTools(app, rendered, { api: 'responses' }).tools;
export const messages: Anthropic.Messages.ToolUnion[] = toAnthropicTools(app, rendered).tools;
export const runnable: BetaRunnableTool[] = toAnthropicTools(app, rendered).runnable;

// @ts-expect-error which of the APIs has to be said
export const neither = toOpenAiTools(app, rendered, {});
