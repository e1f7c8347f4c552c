import { mapAwaitable } from '../common/promises.js';
import type { Awaitable } from '../common/types.js';
import type { CompletionChecker } from '../interface/CompletionChecker.js';
import type { PromptView } from '../interface/PromptView.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { TokenEstimator } from '../interface/ports.js';
import type { Deadline } from '../limit/Deadline.js';
import type { SectionVisibility } from '../value/SectionVisibility.js';
import type { Completion, ToolMetadata } from '../metadata/ToolMetadata.js';
import type { PromptMetadata } from '../metadata/PromptMetadata.js';
import type { ResourceRegistry } from '../resource/ResourceRegistry.js';
import { FoundTools } from '../session/FoundTools.js';
import { VisibilityOverrides } from '../session/VisibilityOverrides.js';
import { Disclosure, type SearchFindings } from './disclosure/Disclosure.js';
import { DisclosureSection } from './disclosure/DisclosureSection.js';
import { writeOpeningHint, type DisclosureTool, type OpeningTool } from './disclosure/estimateOpeningCosts.js';
import type { ParamsBinding } from './ParamsBinding.js';
import { RenderedPrompt, type RenderedSection } from './RenderedPrompt.js';
import { RenderedTool } from './RenderedTool.js';
import { SectionAnswers } from './SectionAnswers.js';
import type { PromptSearch } from './search/PromptSearch.js';
import type { SearchEntry } from './search/SearchEntry.js';
import { GAP, type SectionNode, visitEach } from './SectionNode.js';

/** The parts of an application that a rendering uses. */
export interface RenderServices {
  /** The bindings that its calls see. */
  readonly resources: ResourceRegistry;
  /** Undefined if the model cannot search the prompt. */
  readonly search: PromptSearch | undefined;
  /** `open_sections`, `read_section` and `search_tools`. */
  readonly disclosureTools: () => readonly ToolMetadata[];
  readonly estimator: TokenEstimator;
}

/** The source of a rendering. */
interface Renderable {
  readonly prompt: PromptView & { readonly metadata: PromptMetadata; readonly services: RenderServices };
  /** The tag of the applied overrides, or null. */
  readonly tag: string | null;
  readonly roots: readonly SectionNode[];
}

/** The params, session and options of a rendering. */
export interface RenderInput {
  readonly params: ParamsBinding;
  readonly session: SessionPort;
  readonly visibilityOverrides: Readonly<Record<string, SectionVisibility>>;
  readonly deadline: Deadline | null;
}

/** The sections in the text as parallel lists: every rendering would allocate objects that are rarely read. */
interface Placed {
  readonly nodes: SectionNode[];
  readonly visibilities: SectionVisibility[];
  readonly starts: number[];
}

/** The text and tools for the model, and the tools hidden from it. */
interface Offer extends Pick<RenderedPrompt, 'text' | 'tools' | 'hidden'> {}

/**
 * Renders a prompt in one walk of the tree: decides which sections are enabled, how much of each is shown, and which
 * tools they offer (docs/contract.md, 3-4 and 12). Waits only if a hook returns a promise: awaiting every section costs
 * more than writing it.
 */
export class PromptRenderer {
  readonly #source: Renderable;
  readonly #input: RenderInput;
  readonly #answers: SectionAnswers;
  readonly #tools: RenderedTool[] = [];
  /** The sections written so far. */
  readonly #placed: Placed = { nodes: [], visibilities: [], starts: [] };
  readonly #completion: CompletionChecker[] = [];
  readonly #openingTools = new Set<DisclosureTool>();
  /** Undefined if nothing is closed until it is found. */
  readonly #search: PromptSearch | undefined;
  readonly #found: ReadonlySet<string> = NONE_FOUND;
  /** The text so far. A gap follows each part. */
  #text = '';

  /**
   * @param opened paths of sections to show in full, whatever their visibility
   * @param found names of tools to offer as if the model had found them
   */
  constructor(source: Renderable, input: RenderInput, opened: readonly string[] = [], found: readonly string[] = []) {
    this.#source = source;
    this.#input = input;
    const { params, session, visibilityOverrides } = input;
    const visibilities = new Map<string, unknown>(Object.entries(visibilityOverrides));
    const inSession = session.slice(VisibilityOverrides).latest();
    if (inSession !== undefined)
      for (const [path, visibility] of Object.entries(inSession.overrides)) visibilities.set(path, visibility);
    for (const path of opened) visibilities.set(path, 'full');
    this.#answers = new SectionAnswers(params, session, visibilities);
    const { search } = source.prompt.services;
    this.#search = search?.isActive(source.roots) === true ? search : undefined;
    if (this.#search !== undefined) {
      this.#found = new Set([...(session.slice(FoundTools).latest()?.names ?? []), ...found]);
      this.#openingTools.add('search_tools');
    }
  }

  /** @throws PromptRenderError E501, E502, E503, E511, PromptValidationError E510 */
  async render(): Promise<RenderedPrompt> {
    const { prompt, tag, roots } = this.#source;
    const { metadata, services } = prompt;
    await visitEach(roots, (node) => this.#renderSection(node));
    const completion = this.#collectCheckers(metadata);
    const { text, tools, hidden } = this.#offer();
    return new RenderedPrompt({
      prompt,
      tag,
      metadata,
      resources: services.resources,
      completion,
      estimator: services.estimator,
      text,
      tools,
      hidden,
      sections: () => this.#listSections(),
      deadline: this.#input.deadline,
      anew: createRerender(this.#source, this.#input),
      closedTools: (session) => new PromptRenderer(this.#source, { ...this.#input, session }).closedTools(),
    });
  }

  /** Renders the text of one section and of those below it. */
  async section(node: SectionNode): Promise<string> {
    await this.#renderSection(node);
    return this.#readText();
  }

  /** Returns the offered tools in order, without rendering text. */
  async tools(): Promise<readonly RenderedTool[]> {
    const visit = (node: SectionNode): Awaitable<void> =>
      mapAwaitable(this.#findVisibility(node), (visibility) => {
        if (visibility === undefined) return undefined;
        this.#place(node, visibility);
        if (visibility === 'summary')
          return mapAwaitable(this.#chooseOpeningTool(node), (tool) => void this.#openingTools.add(tool));
        this.#tools.push(...this.#listOpenTools(node));
        return visitEach(node.children, visit);
      });
    await visitEach(this.#source.roots, visit);
    return this.#offer().tools;
  }

  /** Returns the tools of the enabled sections that a summary hides, or that are not found yet, without rendering text. */
  async closedTools(): Promise<readonly RenderedTool[]> {
    const closed: RenderedTool[] = [];
    const visit = (node: SectionNode, isClosed: boolean): Awaitable<void> =>
      mapAwaitable(this.#findVisibility(node, isClosed), (visibility) => {
        if (visibility === undefined) return undefined;
        const open = new Set(visibility === 'summary' ? [] : this.#listOpenTools(node));
        for (const tool of node.tools) (open.has(tool) ? this.#tools : closed).push(tool);
        return visitEach(node.children, (child) => visit(child, visibility === 'summary'));
      });
    await visitEach(this.#source.roots, (node) => visit(node, false));
    const all = [...this.#tools, ...closed].map(({ metadata }) => metadata);
    const hidden = this.#source.prompt.metadata.extensions.map((extension) => extension.extend(all).hidden);
    return closed.filter((tool) => isDirect(tool) && !hidden.some((names) => names.has(tool.name)));
  }

  /** Searches tools and closed sections, also those that the session has found already (docs/prompts.md, Search). */
  async find(query: string, most: number): Promise<SearchFindings> {
    const tools: RenderedTool[] = [];
    const sections = new Set<string>();
    const callable: string[] = [];
    let best: string | undefined;
    const places = new Map<SectionNode, Awaitable<SectionPlace>>();
    for (const { trail, tool } of (await this.#search?.rank(this.#source.roots, query)) ?? []) {
      if (tools.length + sections.size + callable.length >= most) break;
      const place = await this.#findPlace(trail, places);
      if (place === 'disabled') continue;
      if (place !== 'open') {
        if (tools.length + sections.size + callable.length === 0) best = place.closed;
        sections.add(place.closed);
      }
      if (tool === undefined || trail.at(-1)?.metadata.searchable !== true || !isDirect(tool)) continue;
      if (!this.#found.has(tool.name)) tools.push(tool);
      else if (place === 'open') callable.push(tool.name);
    }
    // A tool below a section that stays closed cannot be called.
    const others = [...sections].filter((path) => path !== best);
    const reachable = tools.filter(
      ({ sectionPath }) => !others.some((closed) => `${sectionPath}.`.startsWith(`${closed}.`)),
    );
    return { tools: reachable, section: best, others, callable };
  }

  /** Returns whether a section is disabled, open, or behind a closed one; the outermost closed one can be opened. */
  async #findPlace(
    trail: SearchEntry['trail'],
    places: Map<SectionNode, Awaitable<SectionPlace>>,
  ): Promise<SectionPlace> {
    let place: SectionPlace = 'open';
    for (const node of trail) {
      const known = places.get(node);
      place = known === undefined ? await this.#placeBelow(node, place) : await known;
      places.set(node, place);
      if (place === 'disabled') break;
    }
    return place;
  }

  #placeBelow(node: SectionNode, above: Exclude<SectionPlace, 'disabled'>): Awaitable<SectionPlace> {
    if (above !== 'open')
      return mapAwaitable(this.#answers.isUnrenderedEnabled(node), (isEnabled) => (isEnabled ? above : 'disabled'));
    return mapAwaitable(this.#findVisibility(node), (visibility) => {
      if (visibility === undefined) return 'disabled';
      return visibility === 'full' ? 'open' : { closed: node.metadata.path };
    });
  }

  /** Returns the tools that the model has when it has the section, without tools that it has to find first. */
  #listOpenTools({ metadata, tools }: SectionNode): readonly RenderedTool[] {
    if (this.#search === undefined || !metadata.searchable) return tools;
    // A tool that only programs may call is not listed, so it takes no room.
    return tools.filter((tool) => this.#found.has(tool.name) || !isDirect(tool));
  }

  /** Returns undefined for a disabled section, and does not ask a section below a summarised one. */
  #findVisibility(node: SectionNode, isBelowSummary = false): Awaitable<SectionVisibility | undefined> {
    const params = this.#answers.paramsOf(node);
    return mapAwaitable(this.#answers.isEnabled(node, params), (isEnabled) => {
      if (!isEnabled) return undefined;
      return isBelowSummary ? 'summary' : this.#answers.visibility(node, params);
    });
  }

  // Without a closure for each step: closures would cost more than writing the section.
  #renderSection(node: SectionNode): Awaitable<void> {
    const params = this.#answers.paramsOf(node);
    const isEnabled = this.#answers.isEnabled(node, params);
    if (typeof isEnabled === 'boolean') return isEnabled ? this.#renderEnabled(node, params) : undefined;
    return isEnabled.then((enabled) => (enabled ? this.#renderEnabled(node, params) : undefined));
  }

  #renderEnabled(node: SectionNode, params: object | null): Awaitable<void> {
    const visibility = this.#answers.visibility(node, params);
    return typeof visibility === 'string'
      ? this.#renderShown(node, params, visibility)
      : visibility.then((shown) => this.#renderShown(node, params, shown));
  }

  #renderShown(node: SectionNode, params: object | null, visibility: SectionVisibility): Awaitable<void> {
    if (visibility === 'summary') return this.#writeSummary(node, params);
    const body = this.#answers.body(node, params);
    return typeof body === 'string' ? this.#writeFull(node, body) : body.then((text) => this.#writeFull(node, text));
  }

  /** Writes only the summary, without tools, examples, checkers and the sections below. */
  #writeSummary(node: SectionNode, params: object | null): Awaitable<void> {
    const children: string[] = [];
    const list = visitEach(node.children, (child) =>
      mapAwaitable(this.#answers.isUnrenderedEnabled(child), (isEnabled) => {
        if (isEnabled) children.push(child.metadata.key);
      }),
    );
    return mapAwaitable(list, () =>
      mapAwaitable(this.#chooseOpeningTool(node), (tool) => {
        this.#openingTools.add(tool);
        const hint = writeOpeningHint(tool, node.metadata.path, children);
        this.#write(node, 'summary', this.#answers.summary(node, params), hint);
      }),
    );
  }

  #writeFull(node: SectionNode, body: string): Awaitable<void> {
    const { metadata, children } = node;
    const tools = this.#listOpenTools(node);
    // The text stays the same when tools are found: the answer to the search has their examples.
    this.#write(node, 'full', body, this.#search !== undefined && metadata.searchable ? '' : node.examples);
    if (tools.length > 0) this.#tools.push(...tools);
    if (metadata.completion.length > 0) this.#completion.push(...metadata.completion);
    return children.length === 0 ? undefined : visitEach(children, (child) => this.#renderSection(child));
  }

  #write(node: SectionNode, visibility: SectionVisibility, body: string, addition: string): void {
    this.#place(node, visibility);
    let text = this.#text + node.heading;
    if (body !== '') text = text + body + GAP;
    if (addition !== '') text = text + addition + GAP;
    this.#text = text;
  }

  #place(node: SectionNode, visibility: SectionVisibility): void {
    const { nodes, visibilities, starts } = this.#placed;
    nodes.push(node);
    visibilities.push(visibility);
    starts.push(this.#text.length);
  }

  #readText(): string {
    return this.#text.slice(0, -GAP.length);
  }

  /** Chooses the tool that opens a summarised section. Reading is enough if the section hides no tools. */
  #chooseOpeningTool(node: SectionNode): Awaitable<OpeningTool> {
    if (this.#source.prompt.metadata.disclosure === 'open') return 'open_sections';
    return mapAwaitable(this.#hidesTools(node), (hides) => (hides ? 'open_sections' : 'read_section'));
  }

  #hidesTools({ tools, children }: SectionNode): Awaitable<boolean> {
    if (tools.length > 0) return true;
    let found = false;
    const visit = (child: SectionNode): Awaitable<void> =>
      found
        ? undefined
        : mapAwaitable(this.#answers.isUnrenderedEnabled(child), (isEnabled) =>
            mapAwaitable(isEnabled && this.#hidesTools(child), (hides) => {
              found ||= hides;
            }),
          );
    return mapAwaitable(visitEach(children, visit), () => found);
  }

  /** Returns text and tools for the model: the tools of sections, then those of extensions, then the opening tools. */
  #offer(): Offer {
    const { extensions } = this.#source.prompt.metadata;
    const added = extensions.map((extension) => extension.extend(this.#tools.map(({ metadata }) => metadata)));
    const isOffered = (tool: RenderedTool): boolean =>
      isDirect(tool) && !added.some(({ hidden }) => hidden.has(tool.name));
    const brought = added.flatMap(({ tools }) => tools.map(({ metadata, owner }) => new RenderedTool(metadata, owner)));
    return {
      text: [this.#readText(), ...added.map(({ text }) => text)].filter((part) => part !== '').join(GAP),
      tools: [...this.#tools.filter(isOffered), ...brought, ...this.#listOpeningTools()],
      hidden: this.#tools.filter((tool) => !isOffered(tool)),
    };
  }

  #listSections(): RenderedSection[] {
    const { nodes, visibilities, starts } = this.#placed;
    return nodes.map(({ metadata: { path, key, number, title } }, index) => {
      const visibility = visibilities[index] as SectionVisibility;
      const start = starts[index] as number;
      const end = (starts[index + 1] ?? this.#text.length) - GAP.length;
      return { path, key, number, title, visibility, start, end };
    });
  }

  /** Returns the tools that show closed sections, if there are any. They follow all other tools. */
  #listOpeningTools(): readonly RenderedTool[] {
    if (this.#openingTools.size === 0) return [];
    const { metadata: prompt, services } = this.#source.prompt;
    const disclosure = new Disclosure(prompt, this.#listSections(), {
      read: (path, session) => this.#read(path, session),
      find: (query, most, session) => new PromptRenderer(this.#source, { ...this.#input, session }).find(query, most),
    });
    const owner = DisclosureSection.over(disclosure);
    return services
      .disclosureTools()
      .filter(({ name }) => this.#openingTools.has(name as DisclosureTool))
      .map((metadata) => new RenderedTool(metadata, owner));
  }

  async #read(path: string, session: SessionPort): Promise<string> {
    const node = findNode(this.#source.roots, path);
    if (node === undefined) return '';
    return new PromptRenderer(this.#source, { ...this.#input, session }, [path]).section(node);
  }

  /** Collects the checkers of the prompt, then of the enabled sections, then of their tools. */
  #collectCheckers({ completion }: PromptMetadata): Completion {
    const all = new Set([...completion, ...this.#completion]);
    for (const { metadata } of this.#tools) for (const checker of metadata.completion) all.add(checker);
    return [...all];
  }
}

const NONE_FOUND: ReadonlySet<string> = new Set();

/** Whether a section is disabled, open, or closed, with the path of the section to open. */
type SectionPlace = 'disabled' | 'open' | { readonly closed: string };

function isDirect({ metadata }: RenderedTool): boolean {
  return metadata.callers.includes('direct');
}

/** Keeps no reference to the session, because a rendering may be kept for long. */
function createRerender(
  source: Renderable,
  { params, visibilityOverrides, deadline }: RenderInput,
): RenderedPrompt['anew'] {
  return async (session, opened, found) =>
    new PromptRenderer(source, { params, session, visibilityOverrides, deadline }, opened, found).render();
}

function findNode(nodes: readonly SectionNode[], path: string): SectionNode | undefined {
  for (const node of nodes) {
    if (node.metadata.path === path) return node;
    const found = path.startsWith(`${node.metadata.path}.`) ? findNode(node.children, path) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
