import { createHash } from 'node:crypto';
import type { Constructor, JsonSchema } from '../common/types.js';
import type { LoweredToolSchema, SchemaOptions, SchemaTarget } from '../interface/ModelAdapter.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { PromptView, RenderedView } from '../interface/PromptView.js';
import type { Deadline } from '../limit/Deadline.js';
import type { SectionVisibility } from '../value/SectionVisibility.js';
import type { ClassShape } from '../metadata/ClassShape.js';
import type { Completion } from '../metadata/Guidance.js';
import type { OutputContainer } from '../metadata/OutputMetadata.js';
import type { PromptMetadata } from '../metadata/PromptMetadata.js';
import { descriptorOf, type PromptDescriptor } from '../override/descriptor.js';
import type { ResourceRegistry } from '../resource/ResourceRegistry.js';
import type { RenderedTool } from './RenderedTool.js';

/** A section that stands in the text. */
export interface RenderedSection {
  readonly path: string;
  readonly key: string;
  readonly number: string;
  readonly title: string;
  readonly visibility: SectionVisibility;
  /** Offsets of the section's own heading and body in the text, in UTF-16 units; children follow after `end`. */
  readonly start: number;
  readonly end: number;
}

/** What a rendering is made of. */
export interface RenderedParts {
  readonly prompt: PromptView;
  readonly metadata: PromptMetadata;
  readonly text: string;
  readonly sections: readonly RenderedSection[];
  readonly tools: readonly RenderedTool[];
  readonly completion: Completion;
  readonly resources: ResourceRegistry;
  readonly deadline: Deadline | null;
  readonly anew: (session: SessionPort) => Promise<RenderedPrompt>;
}

/** What a rendering gives: the text, and the tools that may be called from it. Frozen (runtime contract, 4). */
export class RenderedPrompt implements RenderedView {
  readonly prompt: PromptView;
  readonly text: string;
  readonly sections: readonly RenderedSection[];
  readonly tools: readonly RenderedTool[];
  /** A Map, because a name like `constructor` must not find anything. */
  readonly toolsByName: ReadonlyMap<string, RenderedTool>;

  /** By when a run with this rendering must be over, unless the run names another moment. */
  readonly deadline: Deadline | null;
  readonly metadata: PromptMetadata;
  /** What may refuse the final answer: the prompt's checkers, the enabled sections', the offered tools'; each once. */
  readonly completion: Completion;
  /** The bindings that its calls see. */
  readonly resources: ResourceRegistry;

  /** The same prompt with the same params and options, rendered for a session as it is now. */
  readonly anew: (session: SessionPort) => Promise<RenderedPrompt>;

  constructor({ prompt, metadata, text, sections, tools, completion, resources, deadline, anew }: RenderedParts) {
    this.prompt = prompt;
    this.metadata = metadata;
    this.text = text;
    this.deadline = deadline;
    this.anew = anew;
    this.sections = Object.freeze(sections);
    this.tools = Object.freeze(tools);
    this.completion = Object.freeze(completion);
    this.resources = resources;
    this.toolsByName = new Map(tools.map((tool) => [tool.name, tool]));
    Object.freeze(this);
  }

  /** The tool that is offered under a name. */
  tool(name: string): RenderedTool | undefined {
    return this.toolsByName.get(name);
  }

  /** The class of the final answer, or of its items; null when any text is an answer. */
  get outputType(): Constructor | null {
    return this.metadata.output?.type ?? null;
  }

  /** Whether the final answer is one instance or a list of them; null when any text is an answer. */
  get container(): OutputContainer | null {
    return this.metadata.output?.container ?? null;
  }

  /** Whether keys of the answer that no field declares are dropped, rather than refused. */
  get allowExtraKeys(): boolean {
    return this.metadata.allowExtraKeys;
  }

  /** The text of a section with what stands below it; empty for one that does not stand in the text. */
  textOf(path: string): string {
    const within = this.sections.filter((section) => section.path === path || section.path.startsWith(`${path}.`));
    const [first] = within;
    return first?.path === path ? this.text.slice(first.start, within.at(-1)?.end) : '';
  }

  /** How much is shown of each section that stands in the text, by path; a record without a prototype. */
  get visibility(): Readonly<Record<string, SectionVisibility>> {
    const none = Object.create(null) as Record<string, SectionVisibility>;
    return Object.freeze(
      Object.assign(none, Object.fromEntries(this.sections.map(({ path, visibility }) => [path, visibility]))),
    );
  }

  /** What the model is told of each parameter, by tool and wire name. */
  get toolParamDescriptions(): Readonly<Record<string, Readonly<Record<string, ParamDescription>>>> {
    return Object.fromEntries(
      this.tools.map(({ name, metadata }) => [
        name,
        metadata.params === null ? describedBySchema(metadata.schema) : describedByFields(metadata.params),
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

  /** What of the prompt may be overridden, and what it says now. */
  get descriptor(): PromptDescriptor {
    return descriptorOf(this.metadata);
  }

  /** Hash over text, tools and output: equal exactly when a model is shown the same. */
  get fingerprint(): string {
    return createHash('sha256')
      .update(JSON.stringify([this.text, this.toolSchemas('json-schema'), this.metadata.output?.schema]))
      .digest('hex');
  }

  toString(): string {
    return this.text;
  }
}

/** What the model is told of one parameter. */
export interface ParamDescription {
  readonly description?: string | undefined;
  readonly type?: string | undefined;
  readonly default?: unknown;
}

type Descriptions = Readonly<Record<string, ParamDescription>>;

function describedByFields({ fields }: ClassShape): Descriptions {
  return Object.fromEntries(
    fields.map(({ wireName, type, description, default: initial }) => [
      wireName,
      {
        ...(description === undefined ? {} : { description }),
        type: type.kind,
        ...(initial === undefined ? {} : { default: initial.value }),
      },
    ]),
  );
}

/** Of a schema of another library, only what it says itself is known. */
function describedBySchema({ properties }: JsonSchema): Descriptions {
  return Object.fromEntries(
    Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>).map(([name, property]) => {
      const { description, type, default: initial } = property;
      return [
        name,
        {
          ...(typeof description === 'string' ? { description } : {}),
          ...(typeof type === 'string' ? { type } : {}),
          ...(initial === undefined ? {} : { default: initial }),
        },
      ];
    }),
  );
}
