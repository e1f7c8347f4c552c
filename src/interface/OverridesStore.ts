import type { Awaitable, JsonValue } from '../common/types.js';

/** What stands in place of a section's texts. What is left out stays as it is declared. */
export interface SectionOverride {
  /** With the placeholders of a template; they are checked when the prompt is rendered. */
  readonly body?: string | undefined;
  /** The `bodyHash` of the descriptor that the author saw; the present one when it is written without. */
  readonly bodyHash?: string | undefined;
  /** As the body; another body leaves the summary alone. */
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

/** What stands in place of a tool's texts. What is left out stays as it is declared. */
export interface ToolOverride {
  /** 1-200 ASCII characters; checked when the prompt is rendered. */
  readonly description?: string | undefined;
  /** Descriptions of parameters, by the name that the model uses. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** In place of all examples of the tool. */
  readonly examples?: readonly ExampleOverride[] | undefined;
  /** The `contractHash` of the descriptor that the author saw; the present one when it is written without. */
  readonly contractHash?: string | undefined;
}

/** What stands under one tag in place of a prompt's declared texts. Plain data. */
export interface PromptOverrides {
  /** By path: keys joined by dots. */
  readonly sections?: Readonly<Record<string, SectionOverride>> | undefined;
  /** By name. */
  readonly tools?: Readonly<Record<string, ToolOverride>> | undefined;
}

/** The names under which a prompt is stored. A descriptor has them. */
export interface PromptAddress {
  readonly ns: string;
  readonly key: string;
}

/**
 * Port to where overrides are kept. It keeps what it is given, whole: what may be written, and what has become stale, is
 * judged outside of it, by `prompt.overrides` and by rendering (docs/contract.md, 13).
 */
export interface OverridesStore {
  /** What was written last under the tag; undefined when nothing was. Never a mix of two writes. */
  read(prompt: PromptAddress, tag: string): Awaitable<PromptOverrides | undefined>;
  /** In place of everything that stood under the tag. */
  write(prompt: PromptAddress, tag: string, overrides: PromptOverrides): Awaitable<void>;
  /** Nothing stands under the tag any more; no fault when nothing did. */
  delete(prompt: PromptAddress, tag: string): Awaitable<void>;
}
