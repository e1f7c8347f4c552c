import type { JsonSchema } from '../common/types.js';
import type { ResourceScope } from './ResourceBinding.js';
import type { ToolHints } from '../value/ToolHints.js';
import type { SessionPort } from './SessionPort.js';
import type { SchemaOptions, SchemaTarget, ToolSchema } from './ModelAdapter.js';

/** A tool of a prompt, as exposed to handlers and hosts. */
export interface ToolView {
  readonly name: string;
  readonly description: string;
  readonly sectionPath: string;
  /** JSON Schema of the arguments. */
  readonly schema: JsonSchema;
  /** The declared effects of the tool. Nothing is assumed for omitted hints. */
  readonly hints: ToolHints;
}

/** A section of a prompt, as exposed to handlers and hosts. */
export interface SectionView {
  /** Keys joined by dots. */
  readonly path: string;
  readonly title: string;
}

/** The prompt that a handler serves. This interface breaks the cycle between prompts and contexts. */
export interface PromptView {
  readonly ns: string;
  readonly key: string;
  readonly sections: readonly SectionView[];
  /** The resources outside calls. `context.resources` shows the changes of a call. */
  readonly resources: ResourceScope;
  section(path: string): SectionView | undefined;
  /** Returns the tools that are enabled for a session, in order. The session is empty by default. */
  tools(options?: { readonly session?: SessionPort | undefined }): Promise<readonly ToolView[]>;
}

/** The rendering that a call came from, as its handler sees it. */
export interface RenderedView {
  readonly text: string;
  readonly tools: readonly ToolView[];
  toolSchemas(target: SchemaTarget, options?: SchemaOptions): readonly ToolSchema[];
}
