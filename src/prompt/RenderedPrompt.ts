import { createHash } from 'node:crypto';
import type { LoweredToolSchema, SchemaOptions, SchemaTarget } from '../interface/ModelAdapter.js';
import type { PromptView, RenderedView } from '../interface/PromptView.js';
import type { RenderedTool } from './RenderedTool.js';

/** A section that stands in the text. */
export interface RenderedSection {
  readonly path: string;
  readonly key: string;
  readonly number: string;
  readonly title: string;
  /** Offsets of the section's own heading and body in the text, in UTF-16 units; children follow after `end`. */
  readonly start: number;
  readonly end: number;
}

/** What a rendering gives: the text, and the tools that may be called from it. Frozen (runtime contract, 4). */
export class RenderedPrompt implements RenderedView {
  readonly prompt: PromptView;
  readonly text: string;
  readonly sections: readonly RenderedSection[];
  readonly tools: readonly RenderedTool[];
  /** A Map, because a name like `constructor` must not find anything. */
  readonly toolsByName: ReadonlyMap<string, RenderedTool>;

  constructor(prompt: PromptView, text: string, sections: readonly RenderedSection[], tools: readonly RenderedTool[]) {
    this.prompt = prompt;
    this.text = text;
    this.sections = Object.freeze(sections);
    this.tools = Object.freeze(tools);
    this.toolsByName = new Map(tools.map((tool) => [tool.name, tool]));
    Object.freeze(this);
  }

  /** The tool that is offered under a name. */
  tool(name: string): RenderedTool | undefined {
    return this.toolsByName.get(name);
  }

  /** What the model is told of each parameter, by tool and wire name. */
  get toolParamDescriptions(): Readonly<Record<string, Readonly<Record<string, ParamDescription>>>> {
    return Object.fromEntries(
      this.tools.map(({ name, metadata }) => [
        name,
        Object.fromEntries(
          (metadata.params?.fields ?? []).map((field) => [
            field.wireName,
            {
              ...(field.description === undefined ? {} : { description: field.description }),
              type: field.type.kind,
              ...(field.default === undefined ? {} : { default: field.default.value }),
            },
          ]),
        ),
      ]),
    );
  }

  /**
   * The tools in a provider's dialect, in order, each with what the dialect could not say; the same input gives the same
   * bytes.
   */
  toolSchemas(target: SchemaTarget, options: SchemaOptions = {}): readonly LoweredToolSchema[] {
    return this.tools.map((tool) => tool.schemaFor(target, options));
  }

  /** Hash over text and tools: equal exactly when a model is shown the same. */
  get fingerprint(): string {
    return createHash('sha256')
      .update(JSON.stringify([this.text, this.toolSchemas('json-schema')]))
      .digest('hex');
  }

  toString(): string {
    return this.text;
  }
}

/** What the model is told of one parameter. */
export interface ParamDescription {
  readonly description?: string;
  readonly type?: string;
  readonly default?: unknown;
}
