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

/** Options of a section (docs/contract.md, 3). `P` is its params class; `T` and `S` are the types of its template and summary. */
export interface SectionOptions<
  P = unknown,
  T extends TemplateSource<never> = TemplateSource<P>,
  S extends TemplateSource<never> = TemplateSource<P>,
>
  extends GuardrailOptions, ExecutionLimits {
  /**
   * Lower-case letters, digits, `_` and `-`.
   *
   * @defaultValue derived from the name of the class: `OrdersSection` becomes `orders`
   * @example key: 'orders'
   */
  readonly key?: string | undefined;
  /**
   * The heading that the model reads.
   *
   * @example title: 'Orders'
   */
  readonly title: string;
  /**
   * Text with `${placeholders}`, or a text with the tag `md`. Without a template, the section has only its heading and
   * tools.
   *
   * @example template: 'You help ${name} with orders.'
   */
  readonly template?: T | undefined;
  /**
   * Text shown instead of the section while it is summarised, with placeholders as in `template`.
   *
   * @example summary: 'Refunds for ${name}. Open it before you promise one.'
   */
  readonly summary?: S | undefined;
  /**
   * `full` shows the section. `summary` shows the summary, and hides the tools and child sections until the model asks
   * for them.
   *
   * @defaultValue `'full'`
   * @example visibility: 'summary'
   */
  readonly visibility?:
    ((input: HookInput<NoInfer<P>>) => Awaitable<SectionVisibility>) | SectionVisibility | undefined;
  /**
   * The class with the values of its placeholders.
   *
   * @defaultValue the class of the section around it
   * @example params: Visitor
   */
  readonly params?: ClassOrThunk<P> | undefined;
  /**
   * Params used if none are bound: an instance, or a plain object that parses.
   *
   * @example defaults: { name: 'Ada' }
   */
  readonly defaults?: Partial<NoInfer<P>> | undefined;
  /**
   * The child sections, in order.
   *
   * @example children: [RefundsSection]
   */
  readonly children?: readonly ClassOrThunk[] | undefined;
  /**
   * Lists its tools, and the tools of its child sections, only after the model has found them with `search_tools`. Needs
   * the prompt's option `search`.
   *
   * @defaultValue the choice of the section around it, at last `false`
   * @example searchable: true
   */
  readonly searchable?: boolean | undefined;
  /**
   * Class tools. Methods with `@Tool` need not be listed.
   *
   * @example tools: [CancelOrder]
   */
  readonly tools?: readonly ClassOrThunk[] | undefined;
  /**
   * False removes the text, the tools and the child sections.
   *
   * @defaultValue `true`
   * @example enabled: ({ params }) => params.isStaff
   */
  readonly enabled?: ((input: HookInput<NoInfer<P>>) => Awaitable<boolean>) | boolean | undefined;
  /**
   * Renders the body in code instead of from a template.
   *
   * @example renderBody: ({ params }) => `You help ${params.name}.`
   */
  readonly renderBody?: ((input: HookInput<NoInfer<P>>) => Awaitable<string>) | undefined;
  /**
   * Allows overrides of the texts of the section and its tools.
   *
   * @defaultValue `true`
   * @example acceptsOverrides: false
   */
  readonly acceptsOverrides?: boolean | undefined;
  /**
   * Bindings for the whole prompt. For the same class, they replace the prompt's and the application's.
   *
   * @example resources: [bind(Orders, { value: orders })]
   */
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
   * Searchable tools are closed only if their definitions have more estimated tokens than this, all of them together.
   * Otherwise they are listed, and the prompt has no `search_tools`.
   *
   * @defaultValue `0`
   * @example aboveTokens: 4_000
   */
  readonly aboveTokens?: number | undefined;
  /**
   * Returns a vector for each text, all of one length, for a search by meaning as well as by words. If it fails, the
   * search uses only words.
   *
   * @example embed: (texts) => embedAll(texts)
   */
  readonly embed?: ((texts: readonly string[]) => Promise<readonly (readonly number[])[]>) | undefined;
}

/** Options of a prompt (docs/contract.md, 3). */
export interface PromptOptions<O extends OutputReference | undefined = OutputReference | undefined>
  extends GuardrailOptions, ExecutionLimits {
  /**
   * The namespace of its key, such as a team or a product.
   *
   * @example ns: 'shop'
   */
  readonly ns: string;
  /**
   * The name of the prompt within its namespace.
   *
   * @example key: 'support-desk'
   */
  readonly key: string;
  /**
   * The title for people and MCP clients.
   *
   * @defaultValue the key
   * @example name: 'Support desk'
   */
  readonly name?: string | undefined;
  /**
   * How the names that the model uses are derived.
   *
   * @defaultValue the choice of the application
   * @example fieldNames: 'snake_case'
   */
  readonly fieldNames?: WireNames | undefined;
  /**
   * The names and descriptions that its tools may have.
   *
   * @defaultValue the choice of the application
   * @example toolTexts: 'wide'
   */
  readonly toolTexts?: ToolTexts | undefined;
  /**
   * Its sections, in order.
   *
   * @example sections: [OrdersSection, RefundsSection]
   */
  readonly sections: readonly ClassOrThunk[];
  /**
   * The style of headings. `numbered-path` writes `## 1. Orders (orders)`.
   *
   * @defaultValue `'numbered-path'`
   * @example heading: 'plain'
   */
  readonly heading?: HeadingStyle | undefined;
  /**
   * The form of the final answer: a class, or `{ array: X }`.
   *
   * @defaultValue any text
   * @example output: Verdict
   */
  readonly output?: O | undefined;
  /**
   * Drops undeclared keys of the answer instead of refusing it.
   *
   * @defaultValue `false`
   * @example allowExtraKeys: true
   */
  readonly allowExtraKeys?: boolean | undefined;
  /**
   * Additions to the prompt besides its sections, such as `programs()`.
   *
   * @example extensions: [programs()]
   */
  readonly extensions?: readonly PromptExtension[] | undefined;
  /**
   * How the model opens summarised sections. With `open`, `open_sections` adds them to the prompt. With `auto`, that
   * applies to sections with tools below; `read_section` returns the text of the others without changing anything.
   *
   * @defaultValue `'open'`
   * @example disclosure: 'auto'
   */
  readonly disclosure?: Disclosure | undefined;
  /**
   * Adds `search_tools`, which finds the tools of searchable sections and summarised sections. Required if a section is
   * searchable.
   *
   * @defaultValue `false`
   * @example search: { aboveTokens: 4_000 }
   */
  readonly search?: boolean | SearchOptions | undefined;
  /**
   * Bindings for this prompt. For the same class, they replace the application's.
   *
   * @example resources: [bind(Orders, { value: orders })]
   */
  readonly resources?: readonly ResourceBinding[] | undefined;
}
