import type { Awaitable, ClassOrThunk } from '../../common/types.js';
import type { ResourceBinding } from '../../interface/ResourceBinding.js';
import type { SessionPort } from '../../interface/SessionPort.js';
import type { PromptExtension } from '../PromptExtension.js';
import type { TemplateSource } from '../Template.js';
import type { GuardrailOptions, ExecutionLimits, ToolTexts, WireNames } from './ToolMetadataArgs.js';
import type { OutputReference } from './OutputReference.js';
import type { SectionVisibility } from '../../value/SectionVisibility.js';

/** The argument of a section's hooks. `P` is the section's params class. */
export interface HookInput<P = unknown> {
  readonly params: P;
  readonly session: SessionPort;
}

/** Options of a section (docs/contract.md, 3). `P` is its params class, `T` and `S` are the types of its template and summary. */
export interface SectionOptions<
  P = unknown,
  T extends TemplateSource<never> = TemplateSource<P>,
  S extends TemplateSource<never> = TemplateSource<P>,
>
  extends GuardrailOptions, ExecutionLimits {
  /** Lower-case letters, digits, `_` and `-`; derived from the class name by default (`OrdersSection` → `orders`). */
  readonly key?: string | undefined;
  /** The heading that the model reads. */
  readonly title: string;
  /** Text with `${placeholders}`, or the tag `md`; without a template, a section has only its heading and tools. */
  readonly template?: T | undefined;
  /** Replaces the section while it is summarised; placeholders as in `template`. */
  readonly summary?: S | undefined;
  /** `full` by default; `summary` shows the summary, and hides the section's tools and subtree until the model asks for them. */
  readonly visibility?:
    ((input: HookInput<NoInfer<P>>) => Awaitable<SectionVisibility>) | SectionVisibility | undefined;
  /** The class of the values of its placeholders. */
  readonly params?: ClassOrThunk<P> | undefined;
  /** Params used if none are bound: an instance, or a plain object that parses. */
  readonly defaults?: Partial<NoInfer<P>> | undefined;
  /** The sections below it, in order. */
  readonly children?: readonly ClassOrThunk[] | undefined;
  /** Class tools; methods with `@Tool` need not be listed. */
  readonly tools?: readonly ClassOrThunk[] | undefined;
  /** True by default; false removes the section's text, its tools and its subtree. */
  readonly enabled?: ((input: HookInput<NoInfer<P>>) => Awaitable<boolean>) | boolean | undefined;
  /** Renders the body in code instead of a template. */
  readonly renderBody?: ((input: HookInput<NoInfer<P>>) => Awaitable<string>) | undefined;
  /** True by default; false covers the section's tools too. */
  readonly acceptsOverrides?: boolean | undefined;
  /** Bindings for the whole prompt, in place of the prompt's and the application's for the same class. */
  readonly resources?: readonly ResourceBinding[] | undefined;
}

/** The style of headings; `number` is `1.2`, `depth` 0 for a root section. */
export type HeadingStyle =
  | 'numbered-path'
  | 'numbered'
  | 'plain'
  | ((heading: {
      readonly number: string;
      readonly title: string;
      readonly path: string;
      readonly depth: number;
    }) => string);

/** The tools with which the model sees summarised sections. */
export type Disclosure = 'open' | 'auto';

/** Options of a prompt (docs/contract.md, 3). */
export interface PromptOptions<O extends OutputReference | undefined = OutputReference | undefined>
  extends GuardrailOptions, ExecutionLimits {
  /** The namespace of its key, such as the team or the product. */
  readonly ns: string;
  /** Names it within its namespace. */
  readonly key: string;
  /** The title for people and MCP clients; its key by default. */
  readonly name?: string | undefined;
  /** How the names that the model uses are derived, in place of the application's choice. */
  readonly fieldNames?: WireNames | undefined;
  /** The names and descriptions that its tools may have, in place of the application's choice. */
  readonly toolTexts?: ToolTexts | undefined;
  /** Its sections, in order. */
  readonly sections: readonly ClassOrThunk[];
  /** `numbered-path` by default: `## 1. Orders (orders)`. */
  readonly heading?: HeadingStyle | undefined;
  /** The form of the final answer: a class, or `{ array: X }`; any text by default. */
  readonly output?: O | undefined;
  /** True to drop undeclared keys of the answer, rather than refuse it; false by default. */
  readonly allowExtraKeys?: boolean | undefined;
  /** Additions to the prompt besides its sections, such as `programs()`. */
  readonly extensions?: readonly PromptExtension[] | undefined;
  /**
   * The way in which the model sees summarised sections. `open` (the default): `open_sections` adds them to the prompt. `auto`:
   * the same for those that have tools below, while `read_section` returns the text of the others without changing anything.
   */
  readonly disclosure?: Disclosure | undefined;
  /** Bindings in place of the application's for the same class. */
  readonly resources?: readonly ResourceBinding[] | undefined;
}
