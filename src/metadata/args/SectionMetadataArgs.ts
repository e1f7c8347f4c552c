import type { Awaitable, ClassOrThunk } from '../../common/types.js';
import type { ResourceBinding } from '../../interface/ResourceBinding.js';
import type { SessionPort } from '../../interface/SessionPort.js';
import type { PromptExtension } from '../PromptExtension.js';
import type { TemplateSource } from '../Template.js';
import type { GuardrailOptions } from './GuardrailOptions.js';
import type { OutputReference } from './OutputReference.js';
import type { SectionVisibility } from '../../value/SectionVisibility.js';

/** What the hooks of a section see. `P` is the section's params class. */
export interface HookInput<P = unknown> {
  readonly params: P;
  readonly session: SessionPort;
}

/** Everything about a section (docs/contract.md, 3). `P` is its params class, `T` its template and `S` its summary as they are written. */
export interface SectionOptions<
  P = unknown,
  T extends TemplateSource<never> = TemplateSource<P>,
  S extends TemplateSource<never> = TemplateSource<P>,
> extends GuardrailOptions {
  /** Lower-case letters, digits, `_` and `-`; from the class name when left out (`OrdersSection` → `orders`). */
  readonly key?: string | undefined;
  readonly title: string;
  /** Text with `${placeholders}`, or the tag `md`; a section without one only carries its heading and tools. */
  readonly template?: T | undefined;
  /** Stands in for the section while it is summarised; placeholders as in `template`. */
  readonly summary?: S | undefined;
  /** `full` when left out; `summary` shows the summary, and hides the section's tools and subtree until they are asked for. */
  readonly visibility?:
    ((input: HookInput<NoInfer<P>>) => Awaitable<SectionVisibility>) | SectionVisibility | undefined;
  readonly params?: ClassOrThunk<P> | undefined;
  /** Params for when none are bound: an instance, or a plain object that parses. */
  readonly defaults?: Partial<NoInfer<P>> | undefined;
  readonly children?: readonly ClassOrThunk[] | undefined;
  /** Class tools; methods with `@Tool` need no listing. */
  readonly tools?: readonly ClassOrThunk[] | undefined;
  /** Without it the section is always there; false removes its text, its tools and its subtree. */
  readonly enabled?: ((input: HookInput<NoInfer<P>>) => Awaitable<boolean>) | boolean | undefined;
  /** Words the body in code instead of a template. */
  readonly renderBody?: ((input: HookInput<NoInfer<P>>) => Awaitable<string>) | undefined;
  /** True by default; false covers the section's tools too. */
  readonly acceptsOverrides?: boolean | undefined;
  /** Bindings for the whole prompt, in place of the prompt's and the application's for the same class. */
  readonly resources?: readonly ResourceBinding[] | undefined;
}

/** Says how headings look; `number` is `1.2`, `depth` 0 for a root section. */
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

/** Which tools show summarised sections. */
export type Disclosure = 'open' | 'auto';

/** Everything about a prompt (docs/contract.md, 3). */
export interface PromptOptions extends GuardrailOptions {
  readonly ns: string;
  readonly key: string;
  readonly name?: string | undefined;
  readonly sections: readonly ClassOrThunk[];
  /** `numbered-path` by default: `## 1. Orders (orders)`. */
  readonly heading?: HeadingStyle | undefined;
  /** The form of the final answer: a class, or `{ array: X }`; any text when left out. */
  readonly output?: OutputReference | undefined;
  /** Drop keys of the answer that no field declares, rather than refuse it; false by default. */
  readonly allowExtraKeys?: boolean | undefined;
  /** What the prompt gets beside its sections, such as `programs()`. */
  readonly extensions?: readonly PromptExtension[] | undefined;
  /**
   * How summarised sections are shown. `open` (by default): `open_sections` brings them into the prompt. `auto`: so for those
   * that have tools below, and `read_section` gives the text of the others without changing anything.
   */
  readonly disclosure?: Disclosure | undefined;
  /** Bindings in place of the application's for the same class. */
  readonly resources?: readonly ResourceBinding[] | undefined;
}
