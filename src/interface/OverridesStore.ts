import type { Awaitable, JsonValue } from '../common/types.js';

/** Replacements for a section's texts. Texts that are left out remain as declared. */
export interface SectionOverride {
  /** A template; its placeholders are checked when the prompt is rendered. */
  readonly body?: string | undefined;
  /** The `bodyHash` of the descriptor that the author saw; the current one if left out when written. */
  readonly bodyHash?: string | undefined;
  /** A template, like the body; overriding the body does not affect the summary. */
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

/** Replacements for a tool's texts. Texts that are left out remain as declared. */
export interface ToolOverride {
  /** 1-200 ASCII characters; checked when the prompt is rendered. */
  readonly description?: string | undefined;
  /** Descriptions of parameters, by the name that the model uses. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** Replaces all examples of the tool. */
  readonly examples?: readonly ExampleOverride[] | undefined;
  /** The `contractHash` of the descriptor that the author saw; the current one if left out when written. */
  readonly contractHash?: string | undefined;
}

/** The overrides of a prompt's declared texts under one tag. Plain data. */
export interface PromptOverrides {
  /** By path: keys joined by dots. */
  readonly sections?: Readonly<Record<string, SectionOverride>> | undefined;
  /** By name. */
  readonly tools?: Readonly<Record<string, ToolOverride>> | undefined;
}

/** The namespace and key under which overrides of a prompt are stored; a descriptor has both. */
export interface PromptAddress {
  readonly ns: string;
  readonly key: string;
}

/**
 * Port to the storage of overrides. It stores them whole and unchecked: `prompt.overrides` and rendering decide what may be
 * written and what has become stale (docs/contract.md, 13).
 */
export interface OverridesStore {
  /** Returns the overrides last written under the tag; undefined if there are none. Never mixes two writes. */
  read(prompt: PromptAddress, tag: string): Awaitable<PromptOverrides | undefined>;
  /** Replaces everything stored under the tag. */
  write(prompt: PromptAddress, tag: string, overrides: PromptOverrides): Awaitable<void>;
  /** Deletes everything stored under the tag; does nothing if there is nothing. */
  delete(prompt: PromptAddress, tag: string): Awaitable<void>;
}
