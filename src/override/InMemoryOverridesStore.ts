import { freezePlain } from '../common/objects.js';
import type { OverridesStore, PromptAddress, PromptOverrides } from '../interface/OverridesStore.js';
import { checkTag } from './overridesTag.js';

/**
 * Keeps overrides in memory, for tests and for hosts that load them from elsewhere (docs/contract.md, 13).
 *
 * @example
 * const app = await createApplication({ prompts: [SupportDesk], overrides: new InMemoryOverridesStore() });
 */
export class InMemoryOverridesStore implements OverridesStore {
  readonly #kept = new Map<string, PromptOverrides>();

  /** @throws PromptOverridesError E522 */
  read(prompt: PromptAddress, tag: string): PromptOverrides | undefined {
    return this.#kept.get(createKey(prompt, tag));
  }

  /** @throws PromptOverridesError E522 */
  write(prompt: PromptAddress, tag: string, overrides: PromptOverrides): void {
    // A copy, so that the host's object is not frozen.
    this.#kept.set(createKey(prompt, tag), freezePlain(JSON.parse(JSON.stringify(overrides)) as PromptOverrides));
  }

  /** @throws PromptOverridesError E522 */
  delete(prompt: PromptAddress, tag: string): void {
    this.#kept.delete(createKey(prompt, tag));
  }
}

function createKey(prompt: PromptAddress, tag: string): string {
  checkTag(prompt, tag);
  return JSON.stringify([prompt.ns, prompt.key, tag]);
}
