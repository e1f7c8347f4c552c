import type { JsonSchema } from '../common/types.js';
import type { ResourceScope } from './ResourceBinding.js';
import type { SessionPort } from './SessionPort.js';
import type { SchemaOptions, SchemaTarget, ToolSchema } from './ModelAdapter.js';

/** A tool of a prompt, as handlers and hosts may see it. */
export interface ToolView {
  readonly name: string;
  readonly description: string;
  readonly sectionPath: string;
  /** JSON Schema of the arguments. */
  readonly schema: JsonSchema;
}

/** A section of a prompt, as handlers and hosts may see it. */
export interface SectionView {
  /** Keys joined by dots. */
  readonly path: string;
  readonly title: string;
}

/** What a handler sees of the prompt that it serves. The port cuts the ring between prompts and contexts. */
export interface PromptView {
  readonly ns: string;
  readonly key: string;
  readonly sections: readonly SectionView[];
  /** The resources as they are outside of calls; what a call changes is in `context.resources`. */
  readonly resources: ResourceScope;
  section(path: string): SectionView | undefined;
  /** The tools that are enabled for a session, in order; an empty session when left out. */
  tools(options?: { readonly session?: SessionPort | undefined }): Promise<readonly ToolView[]>;
}

/** What a handler sees of the rendering that its call came from. */
export interface RenderedView {
  readonly text: string;
  readonly tools: readonly ToolView[];
  toolSchemas(target: SchemaTarget, options?: SchemaOptions): readonly ToolSchema[];
}
