import type { SchemaTarget } from '../../interface/ModelAdapter.js';
import type { ToolLimits } from '../../provider/refuseTools.js';
import type { AiProviderOptions } from './AiLanguageModel.js';

/** Properties of the provider of a model. */
export interface ProviderFamily {
  readonly target: SchemaTarget;
  /** True if the provider accepts the schema of an answer only in its strict mode. */
  readonly formIsStrict: boolean;
  readonly limits: ToolLimits;
  /** The mark at the end of a prefix for the provider's cache; undefined if it needs no marks. */
  readonly cacheMark?: AiProviderOptions;
}

const UNLIMITED: ToolLimits = { count: Infinity, description: Infinity };

/** The first row that matches counts: the name of a cloud's provider also contains the maker of the model. */
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

/** Returns the properties of a provider by the name in its models, e.g. `openai.responses`. */
export function providerFamily(provider: string): ProviderFamily {
  return FAMILIES.find(([name]) => name.test(provider))?.[1] ?? UNKNOWN;
}
