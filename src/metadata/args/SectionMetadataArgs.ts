import type { Awaitable, ClassOrThunk } from '../../common/types.js';
import type { ResourceBinding } from '../../interface/ResourceBinding.js';
import type { SessionPort } from '../../interface/SessionPort.js';
import type { PromptExtension } from '../PromptExtension.js';
import type { TemplateSource } from '../Template.js';
import type { GuardrailOptions, ExecutionLimits, ToolTexts, WireNames } from './ToolMetadataArgs.js';
import type { OutputReference } from './OutputReference.js';
import type { SectionVisibility } from '../../value/SectionVisibility.js';

/** The argument of a section's hooks. `P` is the params class of the section. */
export interface HookInput<P = unknown> {
  readonly params: P;
  readonly session: SessionPort;
}

/**
 * Options of a section (docs/contract.md, 3). `P` is its params class; `T` and `S` are the types of its template and
 * summary.
 */
export interface SectionOptions<
  P = unknown,
  T extends TemplateSource<never> = TemplateSource<P>,
  S extends TemplateSource<never> = TemplateSource<P>,
>
  extends GuardrailOptions, ExecutionLimits {
  /** Lower-case letters, digits, `_` and `-`. By default derived from the class name (`OrdersSection` → `orders`). */
  readonly key?: string | undefined;
  /** The heading that the model reads. */
  readonly title: string;
  /**
   * Text with `${placeholders}`, or a text with the tag `md`. Without a template, the section has only its heading and
   * tools.
   */
  readonly template?: T | undefined;
  /** Text shown instead of the section while it is summarised, with placeholders as in `template`. */
  readonly summary?: S | undefined;
  /**
   * `full` by default. `summary` shows the summary, and hides the tools and child sections until the model asks for
   * them.
   */
  readonly visibility?:
    ((input: HookInput<NoInfer<P>>) => Awaitable<SectionVisibility>) | SectionVisibility | undefined;
  /** The class with the values of its placeholders. */
  readonly params?: ClassOrThunk<P> | undefined;
  /** Params used if none are bound: an instance, or a plain object that parses. */
  readonly defaults?: Partial<NoInfer<P>> | undefined;
  /** The child sections, in order. */
  readonly children?: readonly ClassOrThunk[] | undefined;
  /**
   * Lists its tools, and those of its child sections, only after the model has found them with `search_tools`; false by
   * default. Needs the prompt's option `search`.
   */
  readonly searchable?: boolean | undefined;
  /** Class tools. Methods with `@Tool` need not be listed. */
  readonly tools?: readonly ClassOrThunk[] | undefined;
  /** True by default. False removes the text, the tools and the child sections. */
  readonly enabled?: ((input: HookInput<NoInfer<P>>) => Awaitable<boolean>) | boolean | undefined;
  /** Renders the body in code instead of from a template. */
  readonly renderBody?: ((input: HookInput<NoInfer<P>>) => Awaitable<string>) | undefined;
  /** Allows overrides of the texts of the section and its tools; true by default. */
  readonly acceptsOverrides?: boolean | undefined;
  /** Bindings for the whole prompt. For the same class, they replace the prompt's and the application's. */
  readonly resources?: readonly ResourceBinding[] | undefined;
}

/** The style of headings. `number` is `1.2`; `depth` is 0 for a root section. */
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

/** How the model opens summarised sections. */
export type Disclosure = 'open' | 'auto';

/** How the model finds tools and closed sections of a prompt. */
export interface SearchOptions {
  /**
   * Searchable tools are closed only if their definitions have more estimated tokens than this, all of them together;
   * 0 by default. Otherwise they are listed, and the prompt has no `search_tools`.
   */
  readonly aboveTokens?: number | undefined;
  /**
   * Returns a vector for each text, all of one length, for a search by meaning as well as by words. If it fails, the
   * words alone answer.
   */
  readonly embed?: ((texts: readonly string[]) => Promise<readonly (readonly number[])[]>) | undefined;
}

/** Options of a prompt (docs/contract.md, 3). */
export interface PromptOptions<O extends OutputReference | undefined = OutputReference | undefined>
  extends GuardrailOptions, ExecutionLimits {
  /** The namespace of its key, such as a team or a product. */
  readonly ns: string;
  /** The name of the prompt within its namespace. */
  readonly key: string;
  /** The title for people and MCP clients; the key by default. */
  readonly name?: string | undefined;
  /** How the names that the model uses are derived. Replaces the choice of the application. */
  readonly fieldNames?: WireNames | undefined;
  /** The names and descriptions that its tools may have. Replaces the choice of the application. */
  readonly toolTexts?: ToolTexts | undefined;
  /** Its sections, in order. */
  readonly sections: readonly ClassOrThunk[];
  /** The style of headings; `numbered-path` by default: `## 1. Orders (orders)`. */
  readonly heading?: HeadingStyle | undefined;
  /** The form of the final answer: a class, or `{ array: X }`. By default, any text. */
  readonly output?: O | undefined;
  /** Drops undeclared keys of the answer instead of refusing it; false by default. */
  readonly allowExtraKeys?: boolean | undefined;
  /** Additions to the prompt besides its sections, such as `programs()`. */
  readonly extensions?: readonly PromptExtension[] | undefined;
  /**
   * How the model opens summarised sections. With `open`, the default, `open_sections` adds them to the prompt. With
   * `auto`, that applies to sections with tools below; `read_section` returns the text of the others without changing
   * anything.
   */
  readonly disclosure?: Disclosure | undefined;
  /**
   * Adds `search_tools`, which finds the tools of searchable sections and summarised sections; false by default. Required
   * if a section is searchable.
   */
  readonly search?: boolean | SearchOptions | undefined;
  /** Bindings for this prompt. For the same class, they replace the application's. */
  readonly resources?: readonly ResourceBinding[] | undefined;
}
