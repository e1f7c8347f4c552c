import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { ModelAdapter } from 'toolwright';
import { AiSdkAdapter } from '@toolwright/ai-sdk';
import { AnthropicAdapter } from '@toolwright/anthropic';
import { OpenAIResponsesAdapter } from '@toolwright/openai';
import { HttpModel } from '../../packages/ai-sdk/spec/support/HttpModel';

/** Where a double of a provider listens. Plain JSON if its options are, so that other processes can be told. */
export interface HousePlace {
  readonly api: 'anthropic' | 'responses' | 'ai-sdk';
  readonly baseURL: string;
  /** Its usual model. */
  readonly model: string;
  /** Of a model of the AI SDK, e.g. `anthropic.messages`. */
  readonly provider?: string;
  /** Options of the adapter. */
  readonly options: object;
}

/** The real adapter with its official client, in front of a double. */
export function adapterAt({ api, baseURL, options, ...place }: HousePlace, model = place.model): ModelAdapter {
  const settings = { apiKey: 'sk-double-0123456789abcdef', baseURL, maxRetries: 0, logLevel: 'off' } as const;
  switch (api) {
    case 'anthropic':
      return new AnthropicAdapter({ client: new Anthropic(settings), model, ...options });
    case 'responses':
      return new OpenAIResponsesAdapter({ client: new OpenAI(settings), model, ...options });
    case 'ai-sdk':
      return new AiSdkAdapter({ model: new HttpModel(baseURL, 'v4', place.provider, model), ...options });
  }
}
