import type { Awaitable, JsonValue } from '../common/types.js';

/** Replacement texts of a section. Omitted texts remain as declared. */
export interface SectionOverride {
  /** A template. Its placeholders are checked when the prompt is rendered. */
  readonly body?: string | undefined;
  /** The `bodyHash` of the descriptor that the author saw. If left out when written, the current one is used. */
  readonly bodyHash?: string | undefined;
  /** A template, like the body. Overriding the body does not affect the summary. */
  readonly summary?: string | undefined;
  /** The `summaryHash` of the descriptor, as above. */
  readonly summaryHash?: string | undefined;
}

/** An example of a call, as plain data with the names that the model uses. */
export interface ExampleOverride {
  readonly description: string;
  readonly input: JsonValue;
  readonly output: JsonValue;
}

/** Replacement texts of a tool. Omitted texts remain as declared. */
export interface ToolOverride {
  /** 1-200 ASCII characters; checked when the prompt is rendered. */
  readonly description?: string | undefined;
  /** Descriptions of parameters, by the name that the model uses. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** Replaces all examples of the tool. */
  readonly examples?: readonly ExampleOverride[] | undefined;
  /** The `contractHash` of the descriptor that the author saw. If left out when written, the current one is used. */
  readonly contractHash?: string | undefined;
}

/** The overrides of a prompt's declared texts under one tag. Plain data. */
export interface PromptOverrides {
  /** Section overrides by path (keys joined by dots). */
  readonly sections?: Readonly<Record<string, SectionOverride>> | undefined;
  /** Tool overrides by name. */
  readonly tools?: Readonly<Record<string, ToolOverride>> | undefined;
}

/** The namespace and key under which overrides of a prompt are stored. A descriptor has both. */
export interface PromptAddress {
  readonly ns: string;
  readonly key: string;
}

/**
 * Port to the storage of overrides. It stores them whole and unchecked: `prompt.overrides` and rendering decide which
 * may be written and which are stale (docs/contract.md, 13).
 */
export interface OverridesStore {
  /** Returns the overrides last written under the tag, or undefined. Never mixes two writes. */
  read(prompt: PromptAddress, tag: string): Awaitable<PromptOverrides | undefined>;
  /** Replaces everything stored under the tag. */
  write(prompt: PromptAddress, tag: string, overrides: PromptOverrides): Awaitable<void>;
  /** Deletes everything stored under the tag, if there is anything. */
  delete(prompt: PromptAddress, tag: string): Awaitable<void>;
}
