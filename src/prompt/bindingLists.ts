import type { PromptMetadata } from '../metadata/PromptMetadata.js';
import type { BindingList } from '../resource/ResourceRegistry.js';

/** Returns the bindings of a prompt: its own list, then those of its sections, depth first (docs/contract.md, 15). */
export function bindingLists({ ns, key, resources, allSections }: PromptMetadata): readonly BindingList[] {
  return [
    { place: `prompt ${ns}/${key}`, bindings: resources },
    ...allSections.map((section) => ({ place: `section ${section.path}`, bindings: section.resources })),
  ];
}
