import { type ContentPart, ToolwrightError } from 'toolwright';
import type { SchemaTarget } from 'toolwright/adapters';
import type { ToolLimits } from 'toolwright/internal';
import type { AiLanguageModel, AiProviderOptions } from './AiLanguageModel.js';
import { describeValue, formatMessage, isRecord } from 'toolwright/internal/light';

/** How a provider's package adds tools to a conversation: by changes in a system message, or by definitions in one. */
export type NativeMeans = 'toolChanges' | 'additionalTools';

/** Properties of the provider of a model. */
export interface ProviderFamily {
  readonly target: SchemaTarget;
  /** True if the provider accepts the schema of an answer only in strict mode. */
  readonly formIsStrict: boolean;
  readonly limits: ToolLimits;
  /** The mark at the end of a prefix for the provider's cache; undefined if it needs no marks. */
  readonly cacheMark?: AiProviderOptions;
  /** True if a system message may be anywhere, for every model. */
  readonly laterSystem?: boolean;
  /** The provider options that forbid several calls in one answer. */
  readonly oneCall?: AiProviderOptions;
  /** Provider options for each tool of a conversation that make streamed and other requests equal. */
  readonly toolOptions?: AiProviderOptions;
  /** True if reasoning is bound to everything before it, so that an earlier message must not change. */
  readonly bindsReasoning?: boolean;
  /** True if reasoning is bound to the form of the answer, too. */
  readonly bindsForm?: boolean;
  /** Returns provider options that store nothing and let reasoning be sent back. */
  readonly stateless?: (modelId: string, given: AiProviderOptions | undefined) => AiProviderOptions | undefined;
  /** True if it accepts the blank texts of its own answers. */
  readonly keepsBlank?: boolean;
  /** Returns true for media types that the package converts, in a message of the user or in the result of a tool. */
  readonly takes?: (part: Media, place: MediaPlace) => boolean;
}

/** A part with a media type. */
export type Media = Exclude<ContentPart, { kind: 'text' }>;

/** The message that holds a part: of the user, or the result of a tool. */
export type MediaPlace = 'user' | 'tool';

const UNLIMITED: ToolLimits = { count: Infinity, description: Infinity };

const CLAUDE = {
  target: 'anthropic',
  formIsStrict: true,
  limits: UNLIMITED,
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  oneCall: { anthropic: { disableParallelToolUse: true } },
  // Otherwise the package sets it itself, but only in streamed requests, which changes every tool.
  toolOptions: { anthropic: { eagerInputStreaming: false } },
  keepsBlank: true,
  bindsReasoning: true,
  takes: ({ mediaType, url }, place) =>
    isImage(mediaType) ||
    mediaType === 'application/pdf' ||
    (mediaType === 'text/plain' && (place === 'user' || url !== undefined)),
} as const satisfies ProviderFamily;

const OPENAI = {
  target: 'openai',
  formIsStrict: true,
  limits: { count: 128, description: 1_024 },
  laterSystem: true,
  oneCall: { openai: { parallelToolCalls: false } },
} as const satisfies ProviderFamily;

/** Matches models of OpenAI that reason. A name that matches neither pattern, such as a deployment, may do either. */
const REASONING_MODEL = /^(o\d|gpt-([5-9]|\d\d)(?!\S*chat)|codex|computer-use)/;
const PLAIN_MODEL = /^(gpt-(3|4)|chatgpt|gpt-\S*chat)/;
const ENCRYPTED = 'reasoning.encrypted_content';

/** Creates options with `store: false`, so that reasoning is sent encrypted, unless the host chooses otherwise. */
function makeStatelessOptions(key: 'openai' | 'azure'): NonNullable<ProviderFamily['stateless']> {
  return (modelId, given) => {
    const { store, include } = given?.[key] ?? {};
    const isReasoning = REASONING_MODEL.test(modelId);
    if (store !== undefined && store !== false) return undefined;
    // The name of a deployment does not tell whether its model reasons; with stored items, reasoning is at least kept.
    if (store === undefined && key === 'azure' && !isReasoning && !PLAIN_MODEL.test(modelId)) return undefined;
    const included = Array.isArray(include) ? include : [];
    const all = isReasoning && !included.includes(ENCRYPTED) ? [...included, ENCRYPTED] : included;
    return { [key]: { store: false, ...(all.length === 0 ? {} : { include: all }) } };
  };
}

/** The Responses API, of OpenAI or of Azure. */
const RESPONSES = {
  ...OPENAI,
  bindsReasoning: true,
  bindsForm: true,
  takes: ({ kind, mediaType, url }, place) => {
    if (kind === 'audio') return false;
    if (mediaType.startsWith('image/')) return isImage(mediaType);
    return url !== undefined || mediaType === 'application/pdf' || place === 'tool';
  },
} as const satisfies ProviderFamily;

/** The first matching row counts: the provider name of a cloud also contains the maker of the model. */
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
  [/anthropic/, CLAUDE],
  [/^azure.*\bresponses/, { ...RESPONSES, stateless: makeStatelessOptions('azure') }],
  [/^openai.*\bresponses/, { ...RESPONSES, stateless: makeStatelessOptions('openai') }],
  [/^(openai|azure).*completion/, { ...OPENAI, laterSystem: false }],
  [
    /^(openai|azure)/,
    {
      ...OPENAI,
      takes: ({ mediaType, url }, place) =>
        place === 'user' && (isImage(mediaType) || (url === undefined && CHAT_FILES.has(mediaType))),
    },
  ],
  [/google|vertex/, { target: 'gemini', formIsStrict: false, limits: UNLIMITED }],
];

const CHAT_FILES: ReadonlySet<string> = new Set(['audio/wav', 'audio/mp3', 'audio/mpeg', 'application/pdf']);

const UNKNOWN: ProviderFamily = { target: 'json-schema', formIsStrict: false, limits: UNLIMITED };

/** Matches models that take system messages after the first message, with changes of tools in them. */
const CURRENT_CLAUDE = /(opus-(4-8|5|5-5)|(fable|mythos)-5(-1)?|sonnet-5-5)(?!-?\d(?!\d{5}))/;

/** Matches models that answer a forced choice of a tool with 400; their package would send other tools instead. */
const UNFORCED_CLAUDE = /(opus|sonnet)-5-5|(fable|mythos)-5-[12]/;

/** Returns the properties of a provider by the name in its models, e.g. `openai.responses`. */
export function findProviderFamily(provider: string): ProviderFamily {
  return FAMILIES.find(([name]) => name.test(provider))?.[1] ?? UNKNOWN;
}

/** Returns how the package of a model is known to add tools to a conversation; undefined if nothing is known. */
export function findNativeMeans({ specificationVersion, provider, modelId }: AiLanguageModel): NativeMeans | undefined {
  if (specificationVersion !== 'v4') return undefined;
  if (/^openai\.responses$/.test(provider)) return 'additionalTools';
  return /^anthropic\b/.test(provider) && CURRENT_CLAUDE.test(modelId) ? 'toolChanges' : undefined;
}

/** Returns true if the provider refuses a choice of tools that forces a call. */
export function refusesForcedCalls({ provider, modelId }: AiLanguageModel): boolean {
  return provider.includes('anthropic') && UNFORCED_CLAUDE.test(modelId);
}

/** The images that both providers read. */
const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

function isImage(mediaType: string): boolean {
  return IMAGES.has(mediaType);
}

const VERSIONS: ReadonlySet<unknown> = new Set(['v3', 'v4']);

/**
 * Refuses a value that is not a language model of the AI SDK.
 *
 * @throws ToolwrightError E721
 */
export function requireModel(model: unknown): void {
  const version = isRecord(model) ? model['specificationVersion'] : undefined;
  const asks = isRecord(model) && typeof model['doGenerate'] === 'function' && typeof model['doStream'] === 'function';
  if (asks && VERSIONS.has(version)) return;
  const came = asks ? `one with specificationVersion ${describeValue(version)}` : describeValue(model);
  const details = { code: 'E721', place: 'AiSdkAdapter' } as const;
  throw new ToolwrightError(
    formatMessage(`expected a language model of the AI SDK with specification v3 or v4, got ${came}`, details),
    details,
  );
}
