import { sha256 } from '../common/builtins.js';
import { lazy } from '../common/lazy.js';
import type { Constructor, JsonSchema } from '../common/types.js';
import type { LoweredToolSchema, SchemaOptions, SchemaTarget } from '../interface/ModelAdapter.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { TokenEstimator } from '../interface/TokenEstimator.js';
import type { PromptView, RenderedView } from '../interface/PromptView.js';
import type { Deadline } from '../limit/Deadline.js';
import type { SectionCost } from '../value/SectionCost.js';
import type { SectionVisibility } from '../value/SectionVisibility.js';
import type { ClassShape } from '../metadata/ClassShape.js';
import type { Completion } from '../metadata/Guardrails.js';
import type { OutputContainer } from '../metadata/OutputMetadata.js';
import type { PromptMetadata } from '../metadata/PromptMetadata.js';
import { descriptorOf, type PromptDescriptor } from '../override/descriptor.js';
import type { ResourceRegistry } from '../resource/ResourceRegistry.js';
import { openingCosts } from './disclosure/openingCosts.js';
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
  readonly sections: () => readonly RenderedSection[];
  readonly tools: readonly RenderedTool[];
  /** Tools that are not offered to the model, and that programs and handlers may call. */
  readonly hidden: readonly RenderedTool[];
  readonly completion: Completion;
  readonly resources: ResourceRegistry;
  readonly deadline: Deadline | null;
  readonly estimator: TokenEstimator;
  readonly anew: RenderedPrompt['anew'];
}

/** What a rendering gives: the text, and the tools that may be called from it. Frozen (docs/contract.md, 4). */
export class RenderedPrompt implements RenderedView {
  readonly prompt: PromptView;
  readonly text: string;
  readonly tools: readonly RenderedTool[];
  /** A Map, because a name like `constructor` must not find anything. */
  readonly toolsByName: ReadonlyMap<string, RenderedTool>;
  /** Tools that are not offered to the model: programs and handlers may call them. */
  readonly hidden: readonly RenderedTool[];

  /** By when a run with this rendering must be over, unless the run names another moment. */
  readonly deadline: Deadline | null;
  readonly metadata: PromptMetadata;
  /** What may refuse the final answer: the prompt's checkers, the enabled sections', the offered tools'; each once. */
  readonly completion: Completion;
  /** The bindings that its calls see. */
  readonly resources: ResourceRegistry;

  /** Estimates how many tokens a text is for a model. */
  readonly estimator: TokenEstimator;
  /**
   * The same prompt with the same params and options, rendered for a session as it is now; sections of `opened` in full,
   * whatever is said of them.
   */
  readonly anew: (session: SessionPort, opened?: readonly string[]) => Promise<RenderedPrompt>;

  readonly #sections: () => readonly RenderedSection[];

  constructor(parts: RenderedParts) {
    const { prompt, metadata, text, sections, tools, hidden, completion, resources, deadline, estimator, anew } = parts;
    this.prompt = prompt;
    this.metadata = metadata;
    this.text = text;
    this.deadline = deadline;
    this.estimator = estimator;
    this.anew = anew;
    this.#sections = lazy(() => Object.freeze(sections()));
    this.tools = Object.freeze(tools);
    this.hidden = Object.freeze(hidden);
    this.completion = Object.freeze(completion);
    this.resources = resources;
    this.toolsByName = new Map(tools.map((tool) => [tool.name, tool]));
    Object.freeze(this);
  }

  /** The sections that stand in the text, in its order. */
  get sections(): readonly RenderedSection[] {
    return this.#sections();
  }

  /** The tool that is offered under a name. */
  tool(name: string): RenderedTool | undefined {
    return this.toolsByName.get(name);
  }

  /** The tool that programs and handlers call by a name, whether or not the model is offered it. */
  callable(name: string): RenderedTool | undefined {
    return this.toolsByName.get(name) ?? this.hidden.find((tool) => tool.name === name);
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

  /**
   * What showing summarised sections in full would cost, known before any is opened: one entry for each that is summarised here.
   * Renders once more, since nothing of a closed section was rendered (docs/contract.md, 12).
   *
   * @param session as it is now
   * @param paths of which sections; of all that are summarised when left out
   * @throws ToolwrightError E512, and what rendering throws
   */
  async openingCosts(session: SessionPort, paths?: readonly string[]): Promise<readonly SectionCost[]> {
    const closed = this.sections.filter(({ visibility }) => visibility === 'summary').map(({ path }) => path);
    return openingCosts(this, await this.anew(session, paths ?? closed));
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
    return sha256(JSON.stringify([this.text, this.toolSchemas('json-schema'), this.metadata.output?.schema]));
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
