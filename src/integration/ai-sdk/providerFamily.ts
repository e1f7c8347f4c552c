import type { SchemaTarget } from '../../interface/ModelAdapter.js';
import type { ToolLimits } from '../../provider/refuseTools.js';
import type { AiProviderOptions } from './AiLanguageModel.js';

/** What is known of the provider behind a model. */
export interface ProviderFamily {
  readonly target: SchemaTarget;
  /** Whether the form of an answer is taken in the provider's strict mode only. */
  readonly formIsStrict: boolean;
  readonly limits: ToolLimits;
  /** What marks the end of a prefix for the provider's cache; undefined where it needs no marks. */
  readonly cacheMark?: AiProviderOptions;
}

const UNLIMITED: ToolLimits = { count: Infinity, description: Infinity };

/** The first row that fits the name of the provider counts: a cloud names the maker of the model after itself. */
const FAMILIES: readonly (readonly [RegExp, ProviderFamily])[] = [
  [
    /bedrock/,
    {
      target: 'anthropic',
      formIsStrict: false,
      limits: UNLIMITED,
      cacheMark: { bedrock: { cachePoint: { type: 'default' } } },
    },
  ],
  [
    /anthropic/,
    {
      target: 'anthropic',
      formIsStrict: true,
      limits: UNLIMITED,
      cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    },
  ],
  [/^(openai|azure)/, { target: 'openai', formIsStrict: true, limits: { count: 128, description: 1_024 } }],
  [/google|vertex/, { target: 'gemini', formIsStrict: false, limits: UNLIMITED }],
];

const UNKNOWN: ProviderFamily = { target: 'json-schema', formIsStrict: false, limits: UNLIMITED };

/** What is known of a provider by the name that its models give, e.g. `openai.responses`. */
export function providerFamily(provider: string): ProviderFamily {
  return FAMILIES.find(([name]) => name.test(provider))?.[1] ?? UNKNOWN;
}
