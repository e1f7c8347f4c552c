import { MAX_REASON_CHARS } from '../../common/limits.js';
import { DEFAULT_SEARCH_RESULTS, MAX_SEARCH_RESULTS } from '../search/limits.js';
import { Field, Param } from '../../decorator/Param.js';
import { Section } from '../../decorator/Section.js';
import { Tool } from '../../decorator/Tool.js';
import { ToolContext } from '../../tool/ToolContext.js';
import type { Disclosure } from './Disclosure.js';
import { buildPrompts } from '../../builder/buildPrompt.js';
import { Prompt } from '../../decorator/Prompt.js';
import type { ToolMetadata } from '../../metadata/ToolMetadata.js';
import type { ParseOptions } from '../../schema/parse/ParseOptions.js';

/** The arguments of `open_sections`. */
export class OpenSectionsParams {
  @Param({
    description: 'Keys of the sections to open, as their summaries name them; with dots for nested ones',
    name: 'section_keys',
    type: [String],
  })
  sectionKeys!: readonly string[];

  @Param({ description: 'Why their content is needed', maxLength: MAX_REASON_CHARS })
  reason!: string;
}

/** The arguments of `read_section`. */
export class ReadSectionParams {
  @Param({
    description: 'Key of the section to read, as its summary names it; with dots for a nested one',
    name: 'section_key',
  })
  sectionKey!: string;
}

/** The arguments of `search_tools`. */
export class SearchToolsParams {
  @Param('Words for the task, or parts of the name of a tool')
  query!: string;

  @Param({
    description: 'Tools to add at most',
    integer: true,
    min: 1,
    max: MAX_SEARCH_RESULTS,
    default: DEFAULT_SEARCH_RESULTS,
  })
  limit: number = DEFAULT_SEARCH_RESULTS;
}

/** The result of `read_section`: a section in full. */
export class ReadSectionResult {
  @Field('The text of the section and of those below it')
  readonly content!: string;

  render(): string {
    return this.content;
  }
}

/** The result of a search that adds nothing; additions are described in the same form. */
export class SearchToolsResult {
  @Field('What was added, or why nothing was')
  readonly content!: string;

  render(): string {
    return this.content;
  }
}

/** Holds the tools that show summarised sections. It is not part of any prompt (docs/contract.md, 12). */
@Section({ key: 'disclosure', title: 'Disclosure', acceptsOverrides: false })
export class DisclosureSection {
  disclosure!: Disclosure;

  /** Returns the instance on which the handlers of the tools run for one rendering. */
  static over(disclosure: Disclosure): DisclosureSection {
    return Object.assign(new DisclosureSection(), { disclosure });
  }

  /** Requests sections: throws the request to the code that renders the prompt. */
  @Tool({
    name: 'open_sections',
    description: 'Open summarised sections of these instructions: their full content, and their tools.',
    hints: { destructive: false, openWorld: false },
  })
  openSections({ sectionKeys, reason }: OpenSectionsParams): never {
    throw this.disclosure.request(sectionKeys, reason);
  }

  /** Returns the text of a section, and changes nothing. */
  @Tool({
    name: 'read_section',
    description: 'Read the full content of a summarised section of these instructions.',
    result: ReadSectionResult,
    hints: { readOnly: true, idempotent: true, openWorld: false },
  })
  async readSection({ sectionKey }: ReadSectionParams, { session }: ToolContext): Promise<ReadSectionResult> {
    const content = await this.disclosure.read(sectionKey, session);
    return Object.assign(new ReadSectionResult(), { content });
  }

  /** Searches closed tools and sections. Those found are requested, as `openSections` does; otherwise the model reads why. */
  @Tool({
    name: 'search_tools',
    description:
      'Find tools that are not listed, and closed sections of these instructions. Call it before you say that ' +
      'something cannot be done. What it finds can be called afterwards.',
    result: SearchToolsResult,
    hints: { destructive: false, openWorld: false },
  })
  async searchTools({ query, limit }: SearchToolsParams, { session }: ToolContext): Promise<SearchToolsResult> {
    const content = await this.disclosure.search(query, limit, session);
    return Object.assign(new SearchToolsResult(), { content });
  }
}

/** A separate prompt, so that the tools are compiled like the tools of users. Never rendered. */
@Prompt({ ns: 'toolwright', key: 'disclosure', sections: [DisclosureSection] })
class DisclosurePrompt {}

/** Compiles the tools of disclosure, which belong to the prompt and not to one of its sections. */
export function buildDisclosureTools(parse: ParseOptions): readonly ToolMetadata[] {
  const [prompt] = buildPrompts([DisclosurePrompt], { fieldNames: 'as-is', parse });
  return (prompt?.allSections ?? []).flatMap(({ tools }) =>
    tools.map((tool) => Object.freeze({ ...tool, sectionPath: '' })),
  );
}
