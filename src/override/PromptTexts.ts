import { mapEntries } from '../common/objects.js';
import { messageOf } from '../common/text.js';
import { PromptOverridesError } from '../error/PromptOverridesError.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import type { Logger } from '../interface/ports.js';
import type { OverridesStore, PromptAddress, PromptOverrides } from '../interface/OverridesStore.js';
import type { PromptMetadata } from '../metadata/PromptMetadata.js';
import { getDescriptor } from './getDescriptor.js';
import { matchOverrides, type Match } from './matchOverrides.js';
import { findOverridesProblem } from './findOverridesProblem.js';
import { checkTag, LATEST, describePlace } from './overridesTag.js';

/** The tag of overrides. */
export interface TagOptions {
  /** `latest` when left out. */
  readonly tag?: string | undefined;
}

/**
 * Reads and writes the overrides of one prompt: `prompt.overrides` (docs/contract.md, 13). Later renderings use the written
 * texts.
 *
 * @example
 * await prompt.overrides.write({ tools: { get_order: { description: 'Look up one order by its id.' } } });
 */
export class PromptTexts {
  readonly #prompt: PromptMetadata;
  readonly #address: PromptAddress;
  readonly #store: OverridesStore;
  readonly #logger: Logger;
  readonly #logged = new Set<string>();

  constructor(prompt: PromptMetadata, store: OverridesStore, logger: Logger) {
    this.#prompt = prompt;
    this.#address = Object.freeze({ ns: prompt.ns, key: prompt.key });
    this.#store = store;
    this.#logger = logger;
  }

  /**
   * Replaces all overrides under the tag. Without hashes, the overrides replace the currently declared texts. Placeholders,
   * descriptions and examples are checked when the prompt is rendered.
   *
   * @throws PromptOverridesError E520, E521, E522, E524, E525; nothing is written then
   */
  async write(overrides: PromptOverrides, { tag = LATEST }: TagOptions = {}): Promise<void> {
    checkTag(this.#address, tag);
    const written = this.#addHashes(this.#copyPlain(overrides, tag));
    const [first] = matchOverrides(this.#prompt, written).misfits;
    if (first !== undefined)
      throw new PromptOverridesError(first.problem, { ...first, place: describePlace(this.#address, tag) });
    await this.#askStore(tag, 'written', () => this.#store.write(this.#address, tag, written));
  }

  /**
   * Returns the overrides that were last written under the tag, stale or not; undefined if there are none.
   *
   * @throws PromptOverridesError E522, E524, E525
   */
  async read({ tag = LATEST }: TagOptions = {}): Promise<PromptOverrides | undefined> {
    checkTag(this.#address, tag);
    const stored = await this.#askStore(tag, 'read', () => this.#store.read(this.#address, tag));
    return stored === undefined ? undefined : this.#copyPlain(stored, tag);
  }

  /**
   * Deletes the overrides under the tag, so that renderings show the declared texts again.
   *
   * @throws PromptOverridesError E522, E525
   */
  async delete({ tag = LATEST }: TagOptions = {}): Promise<void> {
    checkTag(this.#address, tag);
    await this.#askStore(tag, 'deleted', () => this.#store.delete(this.#address, tag));
  }

  /**
   * Returns the overrides that match the prompt as declared now; undefined without overrides. Logs each of the others once.
   *
   * @throws PromptOverridesError E522, E524, E525
   */
  async fitting(tag: string = LATEST): Promise<Match | undefined> {
    const stored = await this.read({ tag });
    if (stored === undefined) return undefined;
    const match = matchOverrides(this.#prompt, stored);
    for (const { code, problem } of match.misfits) this.#logSkipped(code, problem, tag);
    return match;
  }

  #logSkipped(code: string, problem: string, tag: string): void {
    const message = `${code} ${describePlace(this.#address, tag)}: an override was skipped: ${problem}`;
    if (this.#logged.has(message)) return;
    this.#logged.add(message);
    this.#logger.warn(message);
  }

  /** Copies overrides by means of JSON, so that neither store nor host shares the objects. */
  #copyPlain(overrides: PromptOverrides, tag: string): PromptOverrides {
    let copy: unknown;
    try {
      copy = JSON.parse(JSON.stringify(overrides));
    } catch (cause) {
      throw this.#createError('E524', `the overrides cannot be written as JSON: ${messageOf(cause)}`, tag, cause);
    }
    const problem = findOverridesProblem(copy);
    if (problem === undefined) return copy as PromptOverrides;
    throw this.#createError('E524', problem, tag);
  }

  #createError(code: 'E524' | 'E525', problem: string, tag: string, cause?: unknown): PromptOverridesError {
    return new PromptOverridesError(problem, { code, place: describePlace(this.#address, tag), cause });
  }

  #addHashes({ sections = {}, tools = {} }: PromptOverrides): PromptOverrides {
    const descriptor = getDescriptor(this.#prompt);
    const sectionHashes = new Map(
      descriptor.sections.map(({ path, bodyHash, summaryHash }) => [path, { bodyHash, summaryHash }]),
    );
    const contracts = new Map(descriptor.tools.map(({ name, contractHash }) => [name, contractHash]));
    return {
      sections: mapEntries(sections, (path, { body, summary, bodyHash, summaryHash }) => ({
        ...(body === undefined ? {} : { body, bodyHash: bodyHash ?? sectionHashes.get(path)?.bodyHash }),
        ...(summary === undefined ? {} : { summary, summaryHash: summaryHash ?? sectionHashes.get(path)?.summaryHash }),
      })),
      tools: mapEntries(tools, (name, tool) => ({ ...tool, contractHash: tool.contractHash ?? contracts.get(name) })),
    };
  }

  async #askStore<T>(tag: string, done: string, ask: () => T | Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (cause) {
      if (cause instanceof ToolwrightError) throw cause;
      throw this.#createError('E525', `the overrides could not be ${done}: ${messageOf(cause)}`, tag, cause);
    }
  }
}
