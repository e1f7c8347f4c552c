import { mapAwaitable } from '../common/promises.js';
import { isThenable } from '../common/classes.js';
import type { Awaitable } from '../common/types.js';
import type { CompletionChecker } from '../interface/CompletionChecker.js';
import type { PromptView } from '../interface/PromptView.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { TokenEstimator } from '../interface/ports.js';
import type { Deadline } from '../limit/Deadline.js';
import type { HookInput } from '../metadata/args/SectionMetadataArgs.js';
import type { SectionVisibility } from '../value/SectionVisibility.js';
import type { Completion, ToolMetadata } from '../metadata/ToolMetadata.js';
import type { PromptMetadata } from '../metadata/PromptMetadata.js';
import type { ResourceRegistry } from '../resource/ResourceRegistry.js';
import { VisibilityOverrides } from '../session/VisibilityOverrides.js';
import { Disclosure } from './disclosure/Disclosure.js';
import { DisclosureSection } from './disclosure/DisclosureSection.js';
import { writeOpeningHint, type OpeningTool } from './disclosure/estimateOpeningCosts.js';
import type { ParamsBinding } from './ParamsBinding.js';
import { RenderedPrompt, type RenderedSection } from './RenderedPrompt.js';
import { RenderedTool } from './RenderedTool.js';
import { SectionAnswers } from './SectionAnswers.js';
import { type SectionNode, visitEach } from './SectionNode.js';

const GAP = '\n\n';

/** The source of a rendering. */
export interface Renderable {
  readonly prompt: PromptView;
  /** The tag of the applied overrides, or null. */
  readonly tag: string | null;
  readonly metadata: PromptMetadata;
  readonly roots: readonly SectionNode[];
  readonly resources: ResourceRegistry;
  /** `open_sections` and `read_section`. */
  readonly disclosureTools: () => readonly ToolMetadata[];
  readonly estimator: TokenEstimator;
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
  /** Start and end of each section, one after the other. */
  readonly bounds: number[];
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
  readonly #placed: Placed = { nodes: [], visibilities: [], bounds: [] };
  readonly #completion: CompletionChecker[] = [];
  readonly #openingTools = new Set<OpeningTool>();
  // Joined once: engines defer the work of repeated concatenation, and do more of it, until the first read of the text.
  readonly #parts: string[] = [];
  /** Offset at which the next part will begin. A gap follows each part. */
  #length = 0;

  /** @param opened paths of sections to show in full, whatever their visibility */
  constructor(source: Renderable, input: RenderInput, opened: readonly string[] = []) {
    this.#source = source;
    this.#input = input;
    const { params, session, visibilityOverrides } = input;
    const visibilities = new Map<string, unknown>(Object.entries(visibilityOverrides));
    const inSession = session.slice(VisibilityOverrides).latest();
    if (inSession !== undefined)
      for (const [path, visibility] of Object.entries(inSession.overrides)) visibilities.set(path, visibility);
    for (const path of opened) visibilities.set(path, 'full');
    this.#answers = new SectionAnswers(params, session, visibilities);
  }

  /** @throws PromptRenderError E501, E502, E503, E511, PromptValidationError E510 */
  async render(): Promise<RenderedPrompt> {
    const { prompt, tag, metadata, roots, resources, estimator } = this.#source;
    await visitEach(roots, (node) => this.#renderSection(node));
    const completion = this.#collectCheckers(metadata);
    const { text, tools, hidden } = this.#offer();
    return new RenderedPrompt({
      prompt,
      tag,
      metadata,
      resources,
      completion,
      estimator,
      text,
      tools,
      hidden,
      sections: () => listSections(this.#placed),
      deadline: this.#input.deadline,
      anew: createRerender(this.#source, this.#input),
      closedTools: (session) => new PromptRenderer(this.#source, { ...this.#input, session }).closedTools(),
    });
  }

  /** Renders the text of one section and of those below it. */
  async section(node: SectionNode): Promise<string> {
    await this.#renderSection(node);
    return this.#parts.join(GAP);
  }

  /** Returns the offered tools in order, without rendering text. */
  async tools(): Promise<readonly RenderedTool[]> {
    const visit = (node: SectionNode): Awaitable<void> =>
      mapAwaitable(this.#answers.enter(node), (input) => {
        if (input === undefined) return undefined;
        return mapAwaitable(this.#answers.visibility(node, input), (visibility) => {
          this.#place(node, visibility, 0, 0);
          if (visibility === 'summary')
            return mapAwaitable(this.#chooseOpeningTool(node), (tool) => void this.#openingTools.add(tool));
          this.#tools.push(...node.tools);
          return visitEach(node.children, visit);
        });
      });
    await visitEach(this.#source.roots, visit);
    return this.#offer().tools;
  }

  /** Returns the tools of the enabled sections that a summary hides, without rendering text. */
  async closedTools(): Promise<readonly RenderedTool[]> {
    const closed: RenderedTool[] = [];
    const visit = (node: SectionNode, isClosed: boolean): Awaitable<void> =>
      mapAwaitable(this.#answers.enter(node), (input) => {
        if (input === undefined) return undefined;
        return mapAwaitable(isClosed ? 'summary' : this.#answers.visibility(node, input), (visibility) => {
          const list = visibility === 'summary' ? closed : this.#tools;
          list.push(...node.tools);
          return visitEach(node.children, (child) => visit(child, visibility === 'summary'));
        });
      });
    await visitEach(this.#source.roots, (node) => visit(node, false));
    const all = [...this.#tools, ...closed].map(({ metadata }) => metadata);
    const hidden = this.#source.metadata.extensions.map((extension) => extension.extend(all).hidden);
    return closed.filter(
      ({ metadata: { name, callers } }) => callers.includes('direct') && !hidden.some((names) => names.has(name)),
    );
  }

  // Without a closure for each step: closures would cost more than writing the section.
  #renderSection(node: SectionNode): Awaitable<void> {
    const input = this.#answers.enter(node);
    return isThenable(input)
      ? input.then((entered) => this.#renderEntered(node, entered))
      : this.#renderEntered(node, input);
  }

  #renderEntered(node: SectionNode, input: HookInput | undefined): Awaitable<void> {
    if (input === undefined) return undefined;
    const visibility = this.#answers.visibility(node, input);
    return isThenable(visibility)
      ? visibility.then((shown) => this.#renderShown(node, input, shown))
      : this.#renderShown(node, input, visibility);
  }

  #renderShown(node: SectionNode, input: HookInput, visibility: SectionVisibility): Awaitable<void> {
    if (visibility === 'summary') return this.#writeSummary(node, input);
    const body = this.#answers.body(node, input);
    return isThenable(body) ? body.then((text) => this.#writeFull(node, text)) : this.#writeFull(node, body);
  }

  /** Writes only the summary, without tools, examples, checkers and the sections below. */
  #writeSummary(node: SectionNode, input: HookInput): Awaitable<void> {
    const children: string[] = [];
    const list = visitEach(node.children, (child) =>
      mapAwaitable(this.#answers.isEnabled(child), (isEnabled) => {
        if (isEnabled) children.push(child.metadata.key);
      }),
    );
    return mapAwaitable(list, () =>
      mapAwaitable(this.#chooseOpeningTool(node), (tool) => {
        this.#openingTools.add(tool);
        const hint = writeOpeningHint(tool, node.metadata.path, children);
        this.#write(node, 'summary', [this.#answers.summary(node, input), hint]);
      }),
    );
  }

  #writeFull(node: SectionNode, body: string): Awaitable<void> {
    const { examples, tools, metadata } = node;
    this.#write(node, 'full', [body, examples]);
    if (tools.length > 0) this.#tools.push(...tools);
    if (metadata.completion.length > 0) this.#completion.push(...metadata.completion);
    return node.children.length === 0 ? undefined : visitEach(node.children, (child) => this.#renderSection(child));
  }

  #write(node: SectionNode, visibility: SectionVisibility, parts: readonly [string, string]): void {
    const start = this.#length;
    this.#add(node.heading);
    for (const part of parts) if (part !== '') this.#add(part);
    this.#place(node, visibility, start, this.#length - GAP.length);
  }

  #add(part: string): void {
    this.#parts.push(part);
    this.#length += part.length + GAP.length;
  }

  #place(node: SectionNode, visibility: SectionVisibility, start: number, end: number): void {
    const { nodes, visibilities, bounds } = this.#placed;
    nodes.push(node);
    visibilities.push(visibility);
    bounds.push(start, end);
  }

  /** Chooses the tool that opens a summarised section. Reading is enough if the section hides no tools. */
  #chooseOpeningTool(node: SectionNode): Awaitable<OpeningTool> {
    if (this.#source.metadata.disclosure === 'open') return 'open_sections';
    return mapAwaitable(this.#hidesTools(node), (hides) => (hides ? 'open_sections' : 'read_section'));
  }

  #hidesTools({ tools, children }: SectionNode): Awaitable<boolean> {
    if (tools.length > 0) return true;
    let found = false;
    const visit = (child: SectionNode): Awaitable<void> =>
      found
        ? undefined
        : mapAwaitable(this.#answers.isEnabled(child), (isEnabled) =>
            mapAwaitable(isEnabled && this.#hidesTools(child), (hides) => {
              found ||= hides;
            }),
          );
    return mapAwaitable(visitEach(children, visit), () => found);
  }

  /**
   * Returns the text and the tools for the model: those of sections that it may call, then those of extensions, then
   * the opening tools.
   */
  #offer(): Offer {
    const { extensions } = this.#source.metadata;
    const added = extensions.map((extension) => extension.extend(this.#tools.map(({ metadata }) => metadata)));
    const isOffered = ({ metadata: { name, callers } }: RenderedTool): boolean =>
      callers.includes('direct') && !added.some(({ hidden }) => hidden.has(name));
    const brought = added.flatMap(({ tools }) => tools.map(({ metadata, owner }) => new RenderedTool(metadata, owner)));
    return {
      text: [this.#parts.join(GAP), ...added.map(({ text }) => text)].filter((part) => part !== '').join(GAP),
      tools: [...this.#tools.filter(isOffered), ...brought, ...this.#listOpeningTools()],
      hidden: this.#tools.filter((tool) => !isOffered(tool)),
    };
  }

  /** Returns the tools that show summarised sections, if the text has any. They follow all other tools. */
  #listOpeningTools(): readonly RenderedTool[] {
    if (this.#openingTools.size === 0) return [];
    const disclosure = new Disclosure(this.#source.metadata, listSections(this.#placed), (path, session) =>
      this.#read(path, session),
    );
    const owner = DisclosureSection.over(disclosure);
    return this.#source
      .disclosureTools()
      .filter(({ name }) => this.#openingTools.has(name as OpeningTool))
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

/** Keeps no reference to the session, because a rendering may be kept for long. */
function createRerender(
  source: Renderable,
  { params, visibilityOverrides, deadline }: RenderInput,
): RenderedPrompt['anew'] {
  return async (session, opened) =>
    new PromptRenderer(source, { params, session, visibilityOverrides, deadline }, opened).render();
}

function listSections({ nodes, visibilities, bounds }: Placed): RenderedSection[] {
  return nodes.map(({ metadata: { path, key, number, title } }, index) => {
    const visibility = visibilities[index] as SectionVisibility;
    const [start, end] = [bounds[2 * index] as number, bounds[2 * index + 1] as number];
    return { path, key, number, title, visibility, start, end };
  });
}

function findNode(nodes: readonly SectionNode[], path: string): SectionNode | undefined {
  for (const node of nodes) {
    if (node.metadata.path === path) return node;
    const found = path.startsWith(`${node.metadata.path}.`) ? findNode(node.children, path) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
