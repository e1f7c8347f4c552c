// The parts of the AI SDK's provider specification that are used here, declared again: V3 and V4 agree on them, their packages
// come in several major versions and formats, and none of them is needed at run time.

/** Options of single providers, by the provider's name, e.g. `{ anthropic: { … } }`; plain JSON. */
export type AiProviderOptions = Record<string, Record<string, AiJson>>;

/** JSON as the specification declares it: its types are not read-only. */
export type AiJson = null | string | number | boolean | AiJson[] | { [key: string]: AiJson | undefined };

/**
 * A model of any provider of the AI SDK: specification V3 (`ai` 6) or V4 (`ai` 7). A model with another version does not
 * compile, and is refused at run time.
 */
export interface AiLanguageModel {
  readonly specificationVersion: 'v3' | 'v4';
  /** E.g. `openai.responses`. */
  readonly provider: string;
  readonly modelId: string;
  /** The addresses that the provider fetches itself, by media type. */
  readonly supportedUrls?: PromiseLike<AiSupportedUrls> | AiSupportedUrls;
  doGenerate(options: AiModelRequest): PromiseLike<unknown>;
  doStream(options: AiModelRequest): PromiseLike<unknown>;
}

/** Patterns of addresses by media type, such as `image/*`. */
export type AiSupportedUrls = Record<string, RegExp[]>;

/** Settings of a request, sent unchanged; a provider ignores unsupported ones. */
export interface AiModelParameters {
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  stopSequences?: string[];
  seed?: number;
  headers?: Record<string, string | undefined>;
  /** V4 only. */
  reasoning?: 'provider-default' | 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** Sent only together with tools. */
  toolChoice?: { type: 'auto' } | { type: 'none' } | { type: 'required' } | { type: 'tool'; toolName: string };
}

/** A tool that is offered to the model. */
export interface AiFunctionTool {
  type: 'function';
  name: string;
  description: string;
  inputSchema: object;
  inputExamples?: { input: Record<string, AiJson> }[];
  strict?: boolean;
  providerOptions?: AiProviderOptions;
}

/** A tool that the provider runs itself, such as a search among tools that are deferred. */
export interface AiProviderTool {
  type: 'provider';
  /** E.g. `anthropic.tool_search_bm25_20251119`. */
  id: `${string}.${string}`;
  name: string;
  args: Record<string, unknown>;
}

/** A part of a message. */
export interface AiTextPart {
  type: 'text';
  text: string;
  providerOptions?: AiProviderOptions;
}

/** A file of a message. */
export interface AiFilePart {
  type: 'file';
  mediaType: string;
  filename?: string;
  /** `AiFileData` in the form of the model's version. V3 and V4 have no common form, so no type fits both. */
  data: never;
  providerOptions?: AiProviderOptions;
}

/** Bytes as base64, or their address: plain in V3, wrapped with their kind in V4. */
export type AiFileData = string | URL | { type: 'data'; data: string } | { type: 'url'; url: URL };

/** A part of a tool's result: text, or a file in the form of V3 (`image-data`, `file-url`, …) or V4 (`file`). */
export type AiOutputPart =
  | AiTextPart
  | AiFilePart
  | { type: 'image-data'; data: string; mediaType: string }
  | { type: 'image-url'; url: string }
  | { type: 'file-data'; data: string; mediaType: string; filename?: string }
  | { type: 'file-url'; url: string };

/** A call in the conversation that is sent back. */
export interface AiToolCallPart {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: unknown;
  providerOptions?: AiProviderOptions;
}

/** The result of a tool. */
export interface AiToolResultPart {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  /** The values of `content` are `AiOutputPart`s in the form of the model's version. */
  output: { type: 'text' | 'error-text'; value: string } | { type: 'content'; value: never[] };
}

/** One message of a prompt, in the form of the specification. */
export type AiMessage = (
  | { role: 'system'; content: string }
  | { role: 'user'; content: (AiTextPart | AiFilePart)[] }
  | { role: 'assistant'; content: (AiTextPart | AiFilePart | AiToolCallPart)[] }
  | { role: 'tool'; content: AiToolResultPart[] }
) & { providerOptions?: AiProviderOptions };

/** One request, in the form of the specification. */
export interface AiModelRequest extends AiModelParameters {
  prompt: AiMessage[];
  tools?: (AiFunctionTool | AiProviderTool)[];
  responseFormat?: { type: 'json'; schema: object; name: string };
  providerOptions?: AiProviderOptions;
  abortSignal: AbortSignal;
}
