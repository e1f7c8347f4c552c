import { brand } from '../common/brand.js';
import { sha256 } from '../common/builtins.js';
import { memoize } from '../common/memoize.js';
import type { Constructor, JsonSchema } from '../common/types.js';
import type { LoweredToolSchema, SchemaOptions, SchemaTarget } from '../interface/ModelAdapter.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { TokenEstimator } from '../interface/ports.js';
import type { PromptView, RenderedView } from '../interface/PromptView.js';
import type { Deadline } from '../limit/Deadline.js';
import type { SectionCost } from '../value/SectionCost.js';
import type { SectionVisibility } from '../value/SectionVisibility.js';
import type { ClassShape } from '../metadata/ClassShape.js';
import type { Completion, ToolMetadata } from '../metadata/ToolMetadata.js';
import type { OutputContainer } from '../metadata/OutputMetadata.js';
import type { PromptMetadata } from '../metadata/PromptMetadata.js';
import { getDescriptor, type PromptDescriptor } from '../override/getDescriptor.js';
import type { ResourceRegistry } from '../resource/ResourceRegistry.js';
import { estimateOpeningCosts } from './disclosure/estimateOpeningCosts.js';
import type { RenderedTool } from './RenderedTool.js';

/** A section in the text. */
export interface RenderedSection {
  readonly path: string;
  readonly key: string;
  readonly number: string;
  readonly title: string;
  readonly visibility: SectionVisibility;
  /** Offsets of the section's own heading and body in the text, in UTF-16 units. Children follow after `end`. */
  readonly start: number;
  readonly end: number;
}

/**
 * The parts of a rendering.
 *
 * @internal
 */
export interface RenderedParts extends Pick<
  RenderedPrompt,
  | ('prompt' | 'tag' | 'metadata' | 'text' | 'tools' | 'hidden' | 'completion' | 'resources')
  | ('deadline' | 'estimator' | 'anew' | 'closedTools')
> {
  readonly sections: () => readonly RenderedSection[];
}

/** A rendered prompt: its text, and the tools that the model may call. Frozen (docs/contract.md, 4). */
export class RenderedPrompt<T = unknown> implements RenderedView {
  /** The type of its answers. The property does not exist at run time. */
  declare readonly '~output'?: T | undefined;
  readonly prompt: PromptView;
  /** The tag of the applied overrides, or null. */
  readonly tag: string | null;
  readonly text: string;
  readonly tools: readonly RenderedTool[];
  /** A Map, because a name like `constructor` must not find anything. */
  readonly toolsByName: ReadonlyMap<string, RenderedTool>;
  /**
   * Tools that are not offered to the model: programs and handlers may call them.
   *
   * @internal
   */
  readonly hidden: readonly RenderedTool[];

  /** The deadline of runs with this rendering, unless the run has its own. */
  readonly deadline: Deadline | null;
  /** @internal */
  readonly metadata: PromptMetadata;
  /**
   * The completion checkers of the final answer, each once: of the prompt, the enabled sections and the offered tools.
   *
   * @internal
   */
  readonly completion: Completion;
  /**
   * The bindings that its calls see.
   *
   * @internal
   */
  readonly resources: ResourceRegistry;

  /**
   * Estimates the number of tokens of a text.
   *
   * @internal
   */
  readonly estimator: TokenEstimator;
  /**
   * Renders the same prompt with the same params and options for the current state of a session. The sections of
   * `opened` are shown in full, whatever their visibility, and the tools of `found` are offered as if the model had found
   * them.
   *
   * @internal
   */
  readonly anew: (
    session: SessionPort,
    opened?: readonly string[],
    found?: readonly string[],
  ) => Promise<RenderedPrompt>;

  /**
   * Returns the tools of sections at any depth that are summarised for the current state of a session, and those that the
   * model has not found yet.
   *
   * @internal
   */
  readonly closedTools: (session: SessionPort) => Promise<readonly RenderedTool[]>;

  readonly #sections: () => readonly RenderedSection[];

  /** @internal */
  constructor(parts: RenderedParts) {
    const { prompt, metadata, text, sections, tools, hidden, completion, resources, deadline, estimator } = parts;
    this.prompt = prompt;
    this.tag = parts.tag;
    this.metadata = metadata;
    this.text = text;
    this.deadline = deadline;
    this.estimator = estimator;
    this.anew = parts.anew;
    this.closedTools = parts.closedTools;
    this.#sections = memoize(() => Object.freeze(sections()));
    this.tools = Object.freeze(tools);
    this.hidden = Object.freeze(hidden);
    this.completion = Object.freeze(completion);
    this.resources = resources;
    this.toolsByName = new Map(tools.map((tool) => [tool.name, tool]));
    Object.freeze(this);
  }

  /** The sections in the text, in its order. */
  get sections(): readonly RenderedSection[] {
    return this.#sections();
  }

  /** Returns the offered tool of a name, or undefined. */
  tool(name: string): RenderedTool | undefined {
    return this.toolsByName.get(name);
  }

  /**
   * Returns the tool that programs and handlers call by a name, whether or not it is offered to the model.
   *
   * @internal
   */
  findCallable(name: string): RenderedTool | undefined {
    return this.toolsByName.get(name) ?? this.hidden.find((tool) => tool.name === name);
  }

  /**
   * True if the model may ask for tools that are closed now.
   *
   * @internal
   */
  get isDisclosing(): boolean {
    return this.toolsByName.has('open_sections') || this.toolsByName.has('search_tools');
  }

  /** The class of the final answer or of its items; null if any text is an answer. */
  get outputType(): Constructor | null {
    return this.metadata.output?.type ?? null;
  }

  /** The container of the final answer: one instance or a list; null if any text is an answer. */
  get container(): OutputContainer | null {
    return this.metadata.output?.container ?? null;
  }

  /** True if undeclared keys of the answer are dropped instead of refused. */
  get allowExtraKeys(): boolean {
    return this.metadata.allowExtraKeys;
  }

  /** Returns the text of a section and of those below it, or an empty text if the section is not in the text. */
  textOf(path: string): string {
    const subtree = this.sections.filter((section) => section.path === path || section.path.startsWith(`${path}.`));
    const [first] = subtree;
    return first?.path === path ? this.text.slice(first.start, subtree.at(-1)?.end) : '';
  }

  /** The visibility of each section in the text, by path. A record without a prototype. */
  get visibility(): Readonly<Record<string, SectionVisibility>> {
    const none = Object.create(null) as Record<string, SectionVisibility>;
    return Object.freeze(
      Object.assign(none, Object.fromEntries(this.sections.map(({ path, visibility }) => [path, visibility]))),
    );
  }

  /**
   * Estimates the cost of showing summarised sections in full, before any is opened. Returns one entry for each section
   * that is summarised here. Renders once more, because closed sections were not rendered (docs/contract.md, 12).
   *
   * @param session the session in its current state
   * @param paths the paths of the sections; by default all that are summarised
   * @throws ToolwrightError E512, and the errors of rendering
   */
  async openingCosts(session: SessionPort, paths?: readonly string[]): Promise<readonly SectionCost[]> {
    const closed = this.sections.filter(({ visibility }) => visibility === 'summary').map(({ path }) => path);
    return estimateOpeningCosts(this, await this.anew(session, paths ?? closed));
  }

  /** The description of each parameter for the model, by tool and wire name. */
  get toolParamDescriptions(): Readonly<Record<string, Readonly<Record<string, ParamDescription>>>> {
    return Object.fromEntries(
      this.tools.map(({ name, metadata }) => [
        name,
        metadata.params === null ? describeSchema(metadata.schema) : describeFields(metadata.params),
      ]),
    );
  }

  /**
   * Returns the tools in a provider's dialect, in order, each with the losses of the conversion. The same input results
   * in the same bytes.
   */
  toolSchemas(target: SchemaTarget, options: SchemaOptions = {}): readonly LoweredToolSchema[] {
    return this.tools.map((tool) => tool.schemaFor(target, options));
  }

  /** The sections and tools that may be overridden, with hashes of their declarations. */
  get descriptor(): PromptDescriptor {
    return getDescriptor(this.metadata);
  }

  /** Hash over text, tools and output. Two renderings have the same hash exactly if the model gets the same. */
  get fingerprint(): string {
    const { text, tools, metadata } = this;
    const known = fingerprints.get(metadata);
    const isSame = known?.text === text && known.tools.length === tools.length;
    if (isSame && known.tools.every((tool, at) => tool === tools[at]?.metadata)) return known.fingerprint;
    const fingerprint = sha256(JSON.stringify([text, this.toolSchemas('json-schema'), metadata.output?.schema]));
    fingerprints.set(metadata, { text, tools: tools.map((tool) => tool.metadata), fingerprint });
    return fingerprint;
  }

  toString(): string {
    return this.text;
  }
}

brand(RenderedPrompt, 'RenderedPrompt');

/** The last fingerprint of each prompt: most of its renderings are equal. */
const fingerprints = new WeakMap<
  PromptMetadata,
  { readonly text: string; readonly tools: readonly ToolMetadata[]; readonly fingerprint: string }
>();

/** The description of one parameter for the model. */
export interface ParamDescription {
  readonly description?: string | undefined;
  readonly type?: string | undefined;
  readonly default?: unknown;
}

type Descriptions = Readonly<Record<string, ParamDescription>>;

function describeFields({ fields }: ClassShape): Descriptions {
  return Object.fromEntries(
    fields.map(({ wireName, type, description, default: initial }) => [
      wireName,
      describeParam(description, type.kind, initial?.value),
    ]),
  );
}

/** Reads the schema of another library, which may lack descriptions, types and defaults. */
function describeSchema({ properties }: JsonSchema): Descriptions {
  return Object.fromEntries(
    Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>).map(
      ([name, { description, type, default: initial }]) => [name, describeParam(description, type, initial)],
    ),
  );
}

function describeParam(description: unknown, type: unknown, initial: unknown): ParamDescription {
  return {
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof type === 'string' ? { type } : {}),
    ...(initial === undefined ? {} : { default: initial }),
  };
}
