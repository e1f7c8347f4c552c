import OpenAI from 'openai';
import type { ModelAdapter } from 'toolwright';
import { AiSdkAdapter, type AiSdkOptions } from 'toolwright/ai-sdk';
import { AnthropicAdapter, type AnthropicOptions } from 'toolwright/anthropic';
import { OpenAIResponsesAdapter, type OpenAIResponsesOptions } from 'toolwright/openai';
import { signedParts } from './ai-sdk/binding';
import { endOfAnswer, partsOfAnswer } from './ai-sdk/conversation';
import { HttpModel } from './ai-sdk/HttpModel';
import { modelWire } from './ai-sdk/modelKit';
import { BindingDouble } from './anthropic/BindingDouble';
import { KEY } from './openai/client';
import type { Json } from './openai/json';
import { ProviderDouble, raw, streamed } from './openai/ProviderDouble';
import { callItem, eventsOf, reasoningItem, responseOf, saidItem } from './openai/responses';
import { refusingResponsesWire } from './openai/responsesWire';

/** What a model does when it is asked: it thinks in any case. */
export interface Answer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: Json }[];
  /** Is called when the request arrives. */
  readonly before?: () => void;
  /** True if the provider pauses in the middle of the answer. */
  readonly pauses?: boolean;
}

/** A provider whose thoughts are bound to everything before them, in front of the real adapter with its official client. */
export interface House {
  /** @param model another one than its usual one */
  adapter(model?: string): ModelAdapter;
  /** Adds answers of the model. */
  play(...answers: readonly Answer[]): void;
  bodies(): readonly Json[];
  /** Why requests were refused, and which thoughts were dropped. */
  faults(): readonly string[];
  stop(): Promise<void>;
}

/** Opens a provider. */
export type OpenHouse = () => Promise<House>;

let serial = 0;
const nextId = (kind: string): string => `${kind}_${String(++serial)}`;

/** The Messages API; a changed beginning is refused. */
export const openAnthropic =
  (options: Partial<AnthropicOptions> = {}, usual = 'claude-opus-5-5'): OpenHouse =>
  async () => {
    const double = await BindingDouble.start();
    const search = (id: string): Json => ({ type: 'server_tool_use', id, name: 'web_search', input: { query: 'x' } });
    return {
      adapter: (model = usual) => new AnthropicAdapter({ client: double.client, model, ...options }),
      play: (...answers) => {
        for (const { text, calls = [], pauses = false, before } of answers) {
          const id = nextId('srvtoolu');
          if (pauses)
            double.play({
              content: [{ type: 'thinking', thinking: 'Search.' }, search(id)],
              stop_reason: 'pause_turn',
            });
          const content = [
            ...(pauses ? [{ type: 'web_search_tool_result', tool_use_id: id, content: [] }] : []),
            { type: 'thinking', thinking: `Thought ${String(++serial)}.` },
            { type: 'redacted_thinking', data: `hidden${String(serial)}` },
            ...(text === undefined ? [] : [{ type: 'text', text }]),
            ...calls.map(({ name, arguments: input }) => ({ type: 'tool_use', id: nextId('toolu'), name, input })),
          ];
          double.play(() => {
            before?.();
            return { content };
          });
        }
      },
      bodies: () => double.bodies,
      faults: () => [...double.refusals, ...double.drops],
      stop: () => double.stop(),
    };
  };

/** The Responses API; reasoning whose beginning has changed is refused. */
export const openResponses =
  (options: Partial<OpenAIResponsesOptions> = {}, usual = 'gpt-5.6-terra'): OpenHouse =>
  async () => {
    const double = await ProviderDouble.speaking(refusingResponsesWire);
    const client = new OpenAI({ apiKey: KEY, baseURL: double.baseURL, maxRetries: 0, logLevel: 'off' });
    return {
      adapter: (model = usual) => new OpenAIResponsesAdapter({ client, model, ...options }),
      play: (...answers) =>
        double.play(
          ...answers.map(({ text, calls = [], before }) => (body: Json) => {
            before?.();
            const items = [
              reasoningItem(nextId('rs')),
              ...(text === undefined ? [] : [saidItem(text, { id: nextId('msg') })]),
              ...calls.map(({ name, arguments: args }) => {
                return callItem(nextId('call'), name, JSON.stringify(args), { id: nextId('fc') });
              }),
            ];
            return body['stream'] === true ? streamed(eventsOf(items)) : raw(200, JSON.stringify(responseOf(items)));
          }),
        ),
      ...seenBy(double),
    };
  };

/** Models of the AI SDK; thoughts whose beginning has changed are refused. */
export const openAiSdk =
  (provider: string, usual: string, options: Partial<AiSdkOptions> = {}): OpenHouse =>
  async () => {
    const double = await ProviderDouble.speaking(modelWire);
    return {
      adapter: (modelId = usual) =>
        new AiSdkAdapter({ model: new HttpModel(double.baseURL, 'v4', provider, modelId), ...options }),
      play: (...answers) => {
        for (const { text, calls = [], pauses = false, before } of answers) {
          const id = nextId('srvtoolu');
          const search = {
            type: 'tool-call',
            toolCallId: id,
            toolName: 'web_search',
            input: '{}',
            providerExecuted: true,
          };
          const pieces = [
            ...(pauses ? [{ parts: [{ type: 'reasoning', text: 'Search.' }, search], isPaused: true }] : []),
            {
              parts: [
                ...(pauses ? [{ type: 'tool-result', toolCallId: id, toolName: 'web_search', result: [] }] : []),
                { type: 'reasoning', text: `Thought ${String(++serial)}.` },
                ...(text === undefined ? [] : [{ type: 'text', text }]),
                ...calls.map(({ name, arguments: args }) => {
                  return { type: 'tool-call', toolCallId: nextId('call'), toolName: name, input: JSON.stringify(args) };
                }),
              ],
              isPaused: false,
            },
          ];
          double.play(
            ...pieces.map(({ parts, isPaused }) => (body: Json) => {
              before?.();
              const content = signedParts(parts, body);
              return body['stream'] === true
                ? streamed(partsOfAnswer(content, isPaused))
                : raw(200, JSON.stringify({ content, ...endOfAnswer(content, isPaused) }));
            }),
          );
        }
      },
      ...seenBy(double),
    };
  };

function seenBy(double: ProviderDouble): Omit<House, 'adapter' | 'play'> {
  return {
    bodies: () => double.requests.map(({ body }) => body),
    faults: () =>
      double.requests.flatMap(({ problems, removed }) => [
        ...problems.map(({ rule, message }) => `${rule}: ${message}`),
        ...removed,
      ]),
    stop: () => double.stop(),
  };
}
