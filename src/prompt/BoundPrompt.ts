import type { AsyncCloseable, Awaitable, Constructor } from '../common/types.js';
import { brand } from '../common/brand.js';
import { isClass } from '../common/classes.js';
import { isPlainObject } from '../common/guards.js';
import { ResourceCloseError } from '../error/infrastructureErrors.js';
import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import { PromptOverridesError } from '../error/PromptOverridesError.js';
import type { PromptView, SectionView } from '../interface/PromptView.js';
import type { ResourceBinding, ResourceScope } from '../interface/ResourceBinding.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { Deadline } from '../limit/Deadline.js';
import { raceLimits } from '../limit/raceLimits.js';
import type { SectionVisibility } from '../value/SectionVisibility.js';
import type { PromptMetadata } from '../metadata/PromptMetadata.js';
import { getDescriptor, type PromptDescriptor } from '../override/getDescriptor.js';
import type { PromptTexts } from '../override/PromptTexts.js';
import { overrideNodes } from './overrideNodes.js';
import { ParamsBinding, type ParamsData } from './ParamsBinding.js';
import { PromptRenderer, type RenderInput, type RenderServices } from './PromptRenderer.js';
import type { RenderedPrompt } from './RenderedPrompt.js';
import type { RenderedTool } from './RenderedTool.js';
import type { SectionNode } from './SectionNode.js';

/** Options of a rendering. */
export interface RenderOptions {
  /** The session that hooks read; an empty one by default. */
  readonly session?: SessionPort | undefined;
  /** The deadline of runs with this rendering, unless the run has its own. */
  readonly deadline?: Deadline | undefined;
  /** The tag of the overrides to apply; `latest` by default. */
  readonly overridesTag?: string | undefined;
  /**
   * The visibility of sections by path, which replaces the declared one. Visibility overrides in the session win over
   * it. Unknown paths are ignored.
   */
  readonly visibilityOverrides?: Readonly<Record<string, SectionVisibility>> | undefined;
}

/** The parts of an application that a prompt uses. */
export interface PromptServices extends RenderServices {
  readonly emptySession: () => SessionPort;
  /** True if `resources` is a layer only of this prompt, created by `withResources`. */
  readonly ownsResources?: boolean | undefined;
  /** The texts of the prompt in the store of overrides; undefined without a store. */
  readonly texts: PromptTexts | undefined;
}

/** An instance of params, not a class. */
export type Instance = object & { readonly prototype?: never };

/**
 * A prompt of an application, with or without bound params. Immutable: `bind` returns another one
 * (docs/contract.md, 3).
 *
 * @example
 * const prompt = app.prompt(SupportDesk).bind(DeskParams, { primaryTool: 'get_order' });
 * const rendered = await prompt.render({ session });
 */
export class BoundPrompt<T = unknown> implements PromptView, AsyncCloseable {
  /** The type of its answers. The property does not exist at run time. */
  declare readonly '~output'?: T | undefined;
  /** @internal */
  readonly metadata: PromptMetadata;
  /** @internal */
  readonly roots: readonly SectionNode[];
  /** @internal */
  readonly params: ParamsBinding;
  /** @internal */
  readonly services: PromptServices;

  /** @internal */
  constructor(
    metadata: PromptMetadata,
    roots: readonly SectionNode[],
    services: PromptServices,
    params = new ParamsBinding(metadata),
  ) {
    this.metadata = metadata;
    this.roots = roots;
    this.params = params;
    this.services = services;
    Object.freeze(this);
  }

  get ns(): string {
    return this.metadata.ns;
  }

  get key(): string {
    return this.metadata.key;
  }

  get name(): string {
    return this.metadata.name;
  }

  /** The sections and tools that may be overridden, with hashes of their declarations. */
  get descriptor(): PromptDescriptor {
    return getDescriptor(this.metadata);
  }

  /**
   * The overrides of the declared texts, to read, write and delete (docs/contract.md, 13).
   *
   * @throws PromptOverridesError E526 if the application has no store of overrides
   */
  get overrides(): PromptTexts {
    const { texts } = this.services;
    if (texts !== undefined) return texts;
    throw new PromptOverridesError('the application has no store of overrides', {
      code: 'E526',
      place: `${this.ns}/${this.key}`,
    });
  }

  get sections(): readonly SectionView[] {
    return this.metadata.allSections;
  }

  section(path: string): SectionView | undefined {
    return this.metadata.allSections.find((section) => section.path === path);
  }

  /**
   * Returns the prompt with bound params: a class with its values, or instances of params classes. A later binding of a
   * class replaces an earlier one.
   *
   * @throws PromptValidationError E310
   */
  bind<P extends object>(type: Constructor<P>, values: ParamsData<P>): BoundPrompt<T>;
  bind(...instances: readonly Instance[]): BoundPrompt<T>;
  bind(...input: readonly object[]): BoundPrompt<T> {
    if (input.length === 0) return this;
    const [type, values] = input;
    const params =
      isClass(type) && input.length === 2
        ? this.params.withValues(type, values as object)
        : this.params.withInstances(input);
    return new BoundPrompt(this.metadata, this.roots, this.services, params);
  }

  /**
   * Returns the prompt with other bindings, which replace its own and the application's for the same classes. The first
   * rendering provides the eager singletons. Close the prompt after use; otherwise `app.close()` does.
   *
   * @throws DuplicateBindingError
   * @example
   * await using prompt = app.prompt(SupportDesk).withResources([bind(OrderStore, { value: store })]);
   */
  withResources(bindings: readonly ResourceBinding[]): BoundPrompt<T> {
    const resources = this.services.resources.over([{ place: 'withResources', bindings }]);
    const services = { ...this.services, resources, ownsResources: true };
    return new BoundPrompt(this.metadata, this.roots, services, this.params);
  }

  /** The resources outside tool calls. No transaction rolls them back. */
  get resources(): ResourceScope {
    return this.services.resources;
  }

  /**
   * Closes the resources created for the bindings of `withResources`, the last one first. Resources that declarations
   * bind live as long as the application. Does not wait for runs: end those first.
   *
   * @throws ResourceCloseError after everything was closed
   */
  async close(): Promise<void> {
    const { resources, ownsResources = false } = this.services;
    const faults = ownsResources ? await resources.close() : [];
    if (faults.length > 0) throw new ResourceCloseError(faults);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Renders the enabled sections. Never runs a handler.
   *
   * @param input instances to bind for this rendering, then the options
   * @throws PromptError E413, PromptRenderError E501-E503, E511, E523, PromptValidationError E310, E510, E527,
   * PromptOverridesError E522, E524-E526; DeadlineExceededError; the errors of providers of eager resources
   */
  async render(...input: readonly [...Instance[], RenderOptions] | readonly Instance[]): Promise<RenderedPrompt<T>> {
    const read = this.#read(input);
    const rendering = this.#render(read);
    return raceLimits(rendering, { deadline: read.deadline });
  }

  /** Returns the offered tools in order, without rendering text. */
  async tools(options: RenderOptions = {}): Promise<readonly RenderedTool[]> {
    const read = this.#read([options]);
    return this.#createRenderer(await this.#readRoots(read.overridesTag), read).tools();
  }

  async #render(read: ReadOptions): Promise<RenderedPrompt<T>> {
    const opening = this.services.resources.open();
    if (opening !== undefined) await opening;
    const renderer = this.#createRenderer(await this.#readRoots(read.overridesTag), read);
    return (await renderer.render()) as RenderedPrompt<T>;
  }

  #createRenderer(roots: readonly SectionNode[], { overridesTag, ...input }: ReadOptions): PromptRenderer {
    return new PromptRenderer({ prompt: this, tag: overridesTag ?? null, roots }, input);
  }

  /** Returns the tree with the texts that the store holds under a tag, or the declared tree without a store. */
  #readRoots(tag: string | undefined): Awaitable<readonly SectionNode[]> {
    const { texts } = this.services;
    if (tag === undefined && texts === undefined) return this.roots;
    return this.overrides
      .fitting(tag)
      .then((match) => (match === undefined ? this.roots : overrideNodes(this.roots, match)));
  }

  #read(input: readonly object[]): ReadOptions {
    const last = input.at(-1);
    // Options are a plain object; bound params are instances of classes.
    const hasOptions = isPlainObject(last);
    const options: RenderOptions = hasOptions ? last : {};
    requireOptionNames(`render of ${this.ns}/${this.key}`, options, optionNames);
    const instances = hasOptions ? input.slice(0, -1) : input;
    return {
      params: instances.length === 0 ? this.params : this.params.withInstances(instances),
      session: options.session ?? this.services.emptySession(),
      visibilityOverrides: options.visibilityOverrides ?? {},
      deadline: options.deadline ?? null,
      overridesTag: options.overridesTag,
    };
  }
}

brand(BoundPrompt, 'BoundPrompt');

const optionNames: OptionNames<RenderOptions> = { session: 1, deadline: 1, overridesTag: 1, visibilityOverrides: 1 };

interface ReadOptions extends RenderInput {
  readonly overridesTag: string | undefined;
}
