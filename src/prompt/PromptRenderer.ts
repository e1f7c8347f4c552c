import { after } from '../common/after.js';
import { isThenable } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import type { Awaitable } from '../common/types.js';
import { PromptRenderError } from '../error/PromptError.js';
import type { CompletionChecker } from '../interface/CompletionChecker.js';
import type { PromptView } from '../interface/PromptView.js';
import type { Deadline } from '../limit/Deadline.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { HookInput } from '../metadata/args/SectionMetadataArgs.js';
import type { Completion } from '../metadata/Guidance.js';
import type { PromptMetadata, SectionMetadata } from '../metadata/PromptMetadata.js';
import type { ResourceRegistry } from '../resource/ResourceRegistry.js';
import type { ParamsBinding } from './ParamsBinding.js';
import { RenderedPrompt, type RenderedSection } from './RenderedPrompt.js';
import type { RenderedTool } from './RenderedTool.js';
import { renderTemplate } from './renderTemplate.js';
import type { SectionNode } from './SectionNode.js';

const GAP = '\n\n';

/** What is rendered. */
export interface Renderable {
  readonly prompt: PromptView;
  readonly metadata: PromptMetadata;
  readonly roots: readonly SectionNode[];
  readonly resources: ResourceRegistry;
}

/**
 * Walks the tree once: which sections are enabled, what they say, which tools they offer (runtime contract, 3-4).
 * It waits only where a hook gives a promise: awaiting every section costs more than writing it.
 */
export class PromptRenderer {
  readonly #params: ParamsBinding;
  readonly #session: SessionPort;
  readonly #tools: RenderedTool[] = [];
  readonly #sections: RenderedSection[] = [];
  readonly #completion: CompletionChecker[] = [];
  #text = '';

  constructor(params: ParamsBinding, session: SessionPort) {
    this.#params = params;
    this.#session = session;
  }

  /** @throws PromptRenderError E501, E502, E503 */
  async render({ prompt, metadata, roots, resources }: Renderable, deadline: Deadline | null): Promise<RenderedPrompt> {
    await each(roots, (node) => this.#section(node));
    return new RenderedPrompt({
      prompt,
      metadata,
      text: this.#text,
      sections: this.#sections,
      tools: this.#tools,
      completion: this.#completionOf(metadata),
      resources,
      deadline,
    });
  }

  /** The enabled tools in order, without any text. */
  async tools(roots: readonly SectionNode[]): Promise<readonly RenderedTool[]> {
    const visit = (node: SectionNode): Awaitable<void> =>
      after(this.#enter(node), (input) => {
        if (input === undefined) return undefined;
        this.#tools.push(...node.tools);
        return each(node.children, visit);
      });
    await each(roots, visit);
    return this.#tools;
  }

  #section(node: SectionNode): Awaitable<void> {
    return after(this.#enter(node), (input) => {
      if (input === undefined) return undefined;
      return after(this.#body(node, input), (body) => {
        this.#write(node, body);
        return each(node.children, (child) => this.#section(child));
      });
    });
  }

  #write({ metadata, heading, examples, tools }: SectionNode, body: string): void {
    const { path, key, number, title, completion } = metadata;
    if (this.#text !== '') this.#text += GAP;
    const start = this.#text.length;
    this.#text += heading;
    if (body !== '') this.#text += GAP + body;
    if (examples !== '') this.#text += GAP + examples;
    this.#sections.push({ path, key, number, title, start, end: this.#text.length });
    if (tools.length > 0) this.#tools.push(...tools);
    if (completion.length > 0) this.#completion.push(...completion);
  }

  /** The prompt's checkers, then those of the enabled sections, then those of their tools. */
  #completionOf({ completion }: PromptMetadata): Completion {
    const all = new Set([...completion, ...this.#completion]);
    for (const { metadata } of this.#tools) for (const checker of metadata.completion) all.add(checker);
    return [...all];
  }

  /** What the hooks of an enabled section see; undefined for a disabled one. Params come first, even so. */
  #enter({ metadata, instance }: SectionNode): Awaitable<HookInput | undefined> {
    const input: HookInput = { params: this.#params.paramsOf(metadata), session: this.#session };
    const { enabled } = metadata;
    if (enabled === undefined || enabled === true) return input;
    if (enabled === false) return undefined;
    return after(
      hook(metadata, 'enabled', () => enabled.call(instance, input)),
      (answer: unknown) => {
        if (typeof answer !== 'boolean') throw hookError(metadata, `enabled gave ${typeof answer}, not a boolean`);
        return answer ? input : undefined;
      },
    );
  }

  #body({ metadata, instance }: SectionNode, input: HookInput): Awaitable<string> {
    const { renderBody, template } = metadata;
    if (renderBody === undefined) {
      return template === undefined ? '' : renderTemplate(template, input.params as object | null, metadata);
    }
    return after(
      hook(metadata, 'renderBody', () => renderBody.call(instance, input)),
      (body: unknown) => {
        if (typeof body !== 'string') throw hookError(metadata, `renderBody gave ${typeof body}, not a string`);
        return body.trim();
      },
    );
  }
}

/** Visits one after the other; waits only for those that take time. */
function each(nodes: readonly SectionNode[], visit: (node: SectionNode) => Awaitable<void>, from = 0): Awaitable<void> {
  for (let index = from; index < nodes.length; index++) {
    const visited = visit(nodes[index] as SectionNode);
    if (isThenable(visited)) return visited.then(() => each(nodes, visit, index + 1));
  }
  return undefined;
}

function hook<T>(section: SectionMetadata, name: string, call: () => Awaitable<T>): Awaitable<T> {
  const failed = (cause: unknown): never => {
    throw hookError(section, `${name} threw: ${messageOf(cause)}`, cause);
  };
  try {
    const answer = call();
    return isThenable(answer) ? Promise.resolve(answer).catch(failed) : answer;
  } catch (cause) {
    return failed(cause);
  }
}

function hookError(section: SectionMetadata, problem: string, cause?: unknown): PromptRenderError {
  return new PromptRenderError(problem, { code: 'E502', sectionPath: section.path, cause });
}
