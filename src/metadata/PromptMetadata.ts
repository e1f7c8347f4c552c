import type { Constructor, JsonSchema } from '../common/types.js';
import type { ToolContext } from '../tool/ToolContext.js';
import type { ToolExample } from '../tool/ToolHandler.js';
import type { ClassShape, Parser, TypeShape } from './ClassShape.js';
import type { Disclosure, HeadingStyle, SectionOptions } from './args/SectionMetadataArgs.js';
import type { ToolHints } from './args/ToolMetadataArgs.js';
import type { ResourceBinding } from '../interface/ResourceBinding.js';
import type { Completion, Guidance } from './Guidance.js';
import type { OutputMetadata } from './OutputMetadata.js';
import type { Template } from './Template.js';

/** Calls a handler in the order in which it wants its arguments. `owner` is the instance that holds the method. */
export type ToolInvoker = (owner: object, params: unknown, context: ToolContext) => unknown;

/** A tool, whatever way it was declared: method, class, `defineTool` (architecture, decision 5). Frozen. */
export interface ToolMetadata {
  readonly name: string;
  readonly description: string;
  readonly sectionPath: string;
  /** `OrdersSection.getOrder`: for messages. */
  readonly place: string;
  /** The class whose instance holds the handler. */
  readonly owner: Constructor;
  /** Null when the tool only advertises. */
  readonly invoke: ToolInvoker | null;
  /** Null for a tool without params, and for one whose params a schema of another library describes. */
  readonly params: ClassShape | null;
  readonly parse: Parser;
  /** Schema of the arguments, draft 2020-12. */
  readonly schema: JsonSchema;
  /** The type of the result; what could be read of it where a JSON Schema declares it. */
  readonly result: TypeShape | null;
  /** The JSON Schema that declares the result in place of a class. */
  readonly returnSchema: JsonSchema | null;
  readonly resultContainer: 'object' | 'array';
  readonly examples: readonly ToolExample[];
  readonly acceptsOverrides: boolean;
  readonly hints: ToolHints;
  readonly timeoutMs: number | undefined;
  /** Characters of its value that the model reads; the application's limit when undefined. */
  readonly resultLimit: number | undefined;
  readonly guidance: Guidance;
  readonly completion: Completion;
}

/** A section with its place in the tree. Frozen. */
export interface SectionMetadata {
  readonly type: Constructor;
  /** True for a class made by `defineSection`. */
  readonly defined: boolean;
  readonly key: string;
  /** Keys from the root joined by dots. */
  readonly path: string;
  /** `1.2`: the place among its siblings, disabled ones included. */
  readonly number: string;
  readonly depth: number;
  readonly title: string;
  readonly template: Template | undefined;
  readonly summary: Template | undefined;
  readonly visibility: SectionOptions['visibility'];
  /** Its own params class, or its parent's. */
  readonly params: ClassShape | null;
  readonly parseParams: Parser;
  /** An instance of the params class. */
  readonly defaults: object | undefined;
  readonly enabled: SectionOptions['enabled'];
  readonly renderBody: SectionOptions['renderBody'];
  readonly tools: readonly ToolMetadata[];
  readonly children: readonly SectionMetadata[];
  readonly acceptsOverrides: boolean;
  readonly completion: Completion;
  readonly resources: readonly ResourceBinding[];
}

/** A prompt that was found valid. Frozen. */
export interface PromptMetadata {
  readonly type: Constructor;
  readonly ns: string;
  readonly key: string;
  readonly name: string;
  readonly heading: HeadingStyle;
  readonly disclosure: Disclosure;
  readonly sections: readonly SectionMetadata[];
  /** Every section, depth first. */
  readonly allSections: readonly SectionMetadata[];
  /** Null when any text is an answer. */
  readonly output: OutputMetadata | null;
  readonly allowExtraKeys: boolean;
  readonly completion: Completion;
  readonly resources: readonly ResourceBinding[];
}
