import type { Constructor } from '../common/types.js';
import type { ClassShape, Parser } from './ClassShape.js';
import type { Disclosure, HeadingStyle, SearchOptions, SectionOptions } from './args/SectionMetadataArgs.js';
import type { ResourceBinding } from '../interface/ResourceBinding.js';
import type { Completion, ToolMetadata } from './ToolMetadata.js';
import type { WireNames } from './args/ToolMetadataArgs.js';
import type { OutputMetadata } from './OutputMetadata.js';
import type { PromptExtension } from './PromptExtension.js';
import type { Template } from './Template.js';

/** A section with its position in the tree. Frozen. */
export interface SectionMetadata {
  readonly type: Constructor;
  /** True for a class created by `defineSection`. */
  readonly defined: boolean;
  readonly key: string;
  /** Keys from the root joined by dots. */
  readonly path: string;
  /** `1.2`: the position among its siblings, including disabled ones. */
  readonly number: string;
  readonly depth: number;
  readonly title: string;
  readonly template: Template | undefined;
  readonly summary: Template | undefined;
  readonly visibility: SectionOptions['visibility'];
  /** Its own params class, or the class of its parent. */
  readonly params: ClassShape | null;
  readonly parseParams: Parser;
  /** An instance of the params class. */
  readonly defaults: object | undefined;
  readonly enabled: SectionOptions['enabled'];
  readonly renderBody: SectionOptions['renderBody'];
  readonly tools: readonly ToolMetadata[];
  readonly children: readonly SectionMetadata[];
  readonly acceptsOverrides: boolean;
  /** True if its tools may be closed until the model has found them. */
  readonly searchable: boolean;
  readonly completion: Completion;
  readonly resources: readonly ResourceBinding[];
}

/** How the model searches a prompt. Frozen. */
export interface SearchMetadata {
  /** Estimated tokens of all searchable tools up to which they are listed. */
  readonly aboveTokens: number;
  readonly embed: SearchOptions['embed'];
}

/** A validated prompt. Frozen. */
export interface PromptMetadata {
  readonly type: Constructor;
  readonly ns: string;
  readonly key: string;
  readonly name: string;
  readonly heading: HeadingStyle;
  readonly disclosure: Disclosure;
  /** Null if the model cannot search. */
  readonly search: SearchMetadata | null;
  readonly sections: readonly SectionMetadata[];
  /** Every section, depth first. */
  readonly allSections: readonly SectionMetadata[];
  /** Null if any text is an answer. */
  readonly output: OutputMetadata | null;
  readonly allowExtraKeys: boolean;
  /** How names on the wire are derived. */
  readonly fieldNames: WireNames;
  readonly extensions: readonly PromptExtension[];
  readonly completion: Completion;
  readonly resources: readonly ResourceBinding[];
}
