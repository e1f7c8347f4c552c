import { didYouMean, quote } from '../common/text.js';
import type { ErrorCode } from '../error/remedies.js';
import type { PromptOverrides, SectionOverride, ToolOverride } from '../interface/OverridesStore.js';
import type { PromptMetadata } from '../metadata/PromptMetadata.js';
import { getDescriptor, type SectionDescriptor, type ToolDescriptor } from './getDescriptor.js';

/** An override that does not match the prompt as declared now. */
interface Misfit {
  /** E520: the text does not exist, or may not be overridden. E521: the declared text has changed. */
  readonly code: ErrorCode & ('E520' | 'E521');
  /** One sentence, without its full stop. */
  readonly problem: string;
  readonly sectionPath?: string | undefined;
  readonly toolName?: string | undefined;
}

/** Overrides, separated into matching and other ones. */
export interface Match {
  readonly sections: ReadonlyMap<string, SectionOverride>;
  readonly tools: ReadonlyMap<string, ToolOverride>;
  readonly misfits: readonly Misfit[];
}

/** Separates the overrides that match the prompt as declared now from the others. Their form was validated before. */
export function matchOverrides(prompt: PromptMetadata, { sections = {}, tools = {} }: PromptOverrides): Match {
  const matching = new Matching(prompt);
  for (const [path, override] of Object.entries(sections)) matching.section(path, override);
  for (const [name, override] of Object.entries(tools)) matching.tool(name, override);
  return matching;
}

/** The texts of a section, each with the name of its hash. */
const TEXTS = [
  { text: 'body', hash: 'bodyHash' },
  { text: 'summary', hash: 'summaryHash' },
] as const;

class Matching implements Match {
  readonly sections = new Map<string, SectionOverride>();
  readonly tools = new Map<string, ToolOverride>();
  readonly misfits: Misfit[] = [];
  readonly #prompt: PromptMetadata;
  readonly #sections: ReadonlyMap<string, SectionDescriptor>;
  readonly #tools: ReadonlyMap<string, ToolDescriptor>;

  constructor(prompt: PromptMetadata) {
    const descriptor = getDescriptor(prompt);
    this.#prompt = prompt;
    this.#sections = new Map(descriptor.sections.map((section) => [section.path, section]));
    this.#tools = new Map(descriptor.tools.map((tool) => [tool.name, tool]));
  }

  section(path: string, override: SectionOverride): void {
    const known = this.#sections.get(path);
    const fitting: { body?: string; summary?: string } = {};
    const place = { sectionPath: path };
    for (const { text, hash } of TEXTS) {
      const { [text]: replacement, [hash]: seen } = override;
      if (replacement === undefined) continue;
      const subject = `the ${text} of section ${quote(path)}`;
      const present = known?.[hash];
      if (present === undefined)
        this.#addMisfit('E520', `${subject} cannot be overridden: ${this.#explainMissingSection(path)}`, place);
      else if (seen !== present) this.#addMisfit('E521', `${subject} ${describeStaleness(seen)}`, place);
      else fitting[text] = replacement;
    }
    if (Object.keys(fitting).length > 0) this.sections.set(path, fitting);
  }

  tool(name: string, { description, params, examples, contractHash }: ToolOverride): void {
    const known = this.#tools.get(name);
    const subject = `tool ${quote(name)}`;
    if (known === undefined)
      return this.#addMisfit('E520', `${subject} cannot be overridden: ${this.#explainMissingTool(name)}`, {
        toolName: name,
      });
    const { contractHash: present, sectionPath } = known;
    const place = { toolName: name, sectionPath };
    if (contractHash !== present)
      return this.#addMisfit('E521', `${subject} ${describeStaleness(contractHash)}`, place);
    const names = this.#listParameters(name);
    const described = Object.entries(params ?? {});
    for (const [param] of described) {
      if (names.includes(param)) continue;
      this.#addMisfit('E520', `${subject} has no parameter ${quote(param)}.${didYouMean(param, names)}`, place);
    }
    const fitting = new Map(described.filter(([param]) => names.includes(param)));
    this.tools.set(name, { description, params: Object.fromEntries(fitting), examples });
  }

  #addMisfit(code: Misfit['code'], problem: string, place: Omit<Misfit, 'code' | 'problem'>): void {
    this.misfits.push({ code, problem, ...place });
  }

  #explainMissingSection(path: string): string {
    const section = this.#prompt.allSections.find((candidate) => candidate.path === path);
    if (section === undefined) return `there is no such section.${didYouMean(path, this.#sections.keys())}`;
    return section.acceptsOverrides ? 'none is declared' : 'it accepts no overrides';
  }

  #explainMissingTool(name: string): string {
    const isDeclared = this.#prompt.allSections.some(({ tools }) => tools.some((tool) => tool.name === name));
    return isDeclared ? 'it accepts no overrides' : `there is no such tool.${didYouMean(name, this.#tools.keys())}`;
  }

  #listParameters(name: string): readonly string[] {
    const tool = this.#prompt.allSections.flatMap(({ tools }) => tools).find((candidate) => candidate.name === name);
    return Object.keys(Object(tool?.schema['properties']) as object);
  }
}

function describeStaleness(hash: string | undefined): string {
  return hash === undefined
    ? 'is overridden without the hash of the replaced text'
    : 'has changed since it was overridden';
}
