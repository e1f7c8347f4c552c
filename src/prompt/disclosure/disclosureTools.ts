import { buildPrompts } from '../../builder/buildPrompt.js';
import { Prompt } from '../../decorator/Prompt.js';
import type { ToolMetadata } from '../../metadata/ToolMetadata.js';
import type { ParseOptions } from '../../schema/parse/ParseOptions.js';
import { DisclosureSection } from './DisclosureSection.js';

/** A separate prompt, so that the tools are compiled as a user's are; never rendered. */
@Prompt({ ns: 'toolwright', key: 'disclosure', sections: [DisclosureSection] })
class DisclosurePrompt {}

/** Compiles `open_sections` and `read_section`; they belong to the prompt, not to one of its sections. */
export function disclosureTools(parse: ParseOptions): readonly ToolMetadata[] {
  const [prompt] = buildPrompts([DisclosurePrompt], { fieldNames: 'as-is', parse });
  return (prompt?.allSections ?? []).flatMap(({ tools }) =>
    tools.map((tool) => Object.freeze({ ...tool, sectionPath: '' })),
  );
}
