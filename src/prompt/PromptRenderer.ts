import { messageOf } from '../common/text.js';
import type { Awaitable } from '../common/types.js';
import { PromptRenderError } from '../error/PromptError.js';
import type { PromptView } from '../interface/PromptView.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { HookInput } from '../metadata/args/SectionMetadataArgs.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import type { ParamsBinding } from './ParamsBinding.js';
import { renderExamples } from './renderExamples.js';
import { RenderedPrompt, type RenderedSection } from './RenderedPrompt.js';
import type { RenderedTool } from './RenderedTool.js';
import { renderTemplate } from './renderTemplate.js';
import type { SectionNode } from './SectionNode.js';

const GAP = '\n\n';

/** Walks the tree once: which sections are enabled, what they say, which tools they offer (runtime contract, 3-4). */
export class PromptRenderer {
  readonly #params: ParamsBinding;
  readonly #session: SessionPort;
  readonly #toPlain: (value: unknown) => unknown;
  readonly #tools: RenderedTool[] = [];
  readonly #sections: RenderedSection[] = [];
  #text = '';

  constructor(params: ParamsBinding, session: SessionPort, toPlain: (value: unknown) => unknown) {
    this.#params = params;
    this.#session = session;
    this.#toPlain = toPlain;
  }

  /** @throws PromptRenderError E501, E502, E503 */
  async render(prompt: PromptView, roots: readonly SectionNode[]): Promise<RenderedPrompt> {
    for (const node of roots) await this.#section(node);
    return new RenderedPrompt(prompt, this.#text, this.#sections, this.#tools);
  }

  /** The enabled tools in order, without any text. */
  async tools(roots: readonly SectionNode[]): Promise<readonly RenderedTool[]> {
    for (const node of roots) {
      if ((await this.#enter(node)) === undefined) continue;
      this.#tools.push(...node.tools);
      await this.tools(node.children);
    }
    return this.#tools;
  }

  async #section(node: SectionNode): Promise<void> {
    const input = await this.#enter(node);
    if (input === undefined) return;
    const { path, key, number, title } = node.metadata;
    const body = this.#body(node, input);
    const written = typeof body === 'string' ? body : await body;
    if (this.#text !== '') this.#text += GAP;
    const start = this.#text.length;
    this.#text += [node.heading, written, renderExamples(node.tools, this.#toPlain)]
      .filter((part) => part !== '')
      .join(GAP);
    this.#sections.push({ path, key, number, title, start, end: this.#text.length });
    this.#tools.push(...node.tools);
    for (const child of node.children) await this.#section(child);
  }

  /** What the hooks of an enabled section see; undefined for a disabled one. Params come first, even so. */
  async #enter({ metadata, instance }: SectionNode): Promise<HookInput | undefined> {
    const input: HookInput = { params: this.#params.paramsOf(metadata), session: this.#session };
    const { enabled } = metadata;
    if (enabled === undefined || enabled === true) return input;
    if (enabled === false) return undefined;
    const answer = await hook(metadata, 'enabled', () => enabled.call(instance, input));
    if (typeof answer !== 'boolean') throw hookError(metadata, `enabled gave ${typeof answer}, not a boolean`);
    return answer ? input : undefined;
  }

  #body({ metadata, instance }: SectionNode, input: HookInput): Awaitable<string> {
    const { renderBody, template } = metadata;
    if (renderBody !== undefined) return this.#hookedBody(metadata, () => renderBody.call(instance, input));
    return template === undefined ? '' : renderTemplate(template, input.params as object | null, metadata);
  }

  async #hookedBody(metadata: SectionMetadata, render: () => Awaitable<string>): Promise<string> {
    const body: unknown = await hook(metadata, 'renderBody', render);
    if (typeof body !== 'string') throw hookError(metadata, `renderBody gave ${typeof body}, not a string`);
    return body.trim();
  }
}

async function hook<T>(section: SectionMetadata, name: string, call: () => Awaitable<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw hookError(section, `${name} threw: ${messageOf(cause)}`, cause);
  }
}

function hookError(section: SectionMetadata, problem: string, cause?: unknown): PromptRenderError {
  return new PromptRenderError(problem, { code: 'E502', sectionPath: section.path, cause });
}
