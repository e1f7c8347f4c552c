import type { ToolView } from '../../interface/PromptView.js';
import type { TokenEstimator } from '../../interface/ports.js';
import type { SectionCost } from '../../value/SectionCost.js';
import type { SectionVisibility } from '../../value/SectionVisibility.js';

/** The parts of a rendering that determine costs. */
interface Shown {
  readonly sections: readonly { readonly path: string; readonly visibility: SectionVisibility }[];
  readonly tools: readonly ToolView[];
  readonly hidden: readonly ToolView[];
  readonly estimator: TokenEstimator;
  textOf(path: string): string;
  findCallable(name: string): ToolView | undefined;
}

/**
 * Returns the costs of the sections that are summarised in one rendering and full in the other.
 *
 * @throws ToolwrightError E512
 */
export function estimateOpeningCosts(before: Shown, after: Shown): readonly SectionCost[] {
  const tokensOf = before.estimator;
  const whole = new Set(after.sections.flatMap(({ path, visibility }) => (visibility === 'full' ? [path] : [])));
  const closed = before.sections.filter(({ path, visibility }) => visibility === 'summary' && whole.has(path));
  // Hidden tools count as well: programs get their declarations.
  const brought = [...after.tools, ...after.hidden].filter(({ name }) => before.findCallable(name) === undefined);
  const costs = closed.map(({ path }): SectionCost => {
    const content = tokensOf(after.textOf(path));
    const tools = brought
      .filter(({ sectionPath }) => `${sectionPath}.`.startsWith(`${path}.`))
      .reduce((sum, tool) => sum + estimateToolTokens(tool, tokensOf), 0);
    return Object.freeze({ path, summary: tokensOf(before.textOf(path)), content, tools, total: content + tools });
  });
  return Object.freeze(costs);
}

/**
 * Returns the costs of the tools that a rendering adds in sections that were open before, one entry for each section.
 *
 * @param opened the costs of the sections that were opened as well, which include their tools
 * @throws ToolwrightError E512
 */
export function estimateFoundCosts(
  before: Shown,
  after: Shown,
  opened: readonly SectionCost[],
): readonly SectionCost[] {
  const tokens = new Map<string, number>();
  for (const tool of [...after.tools, ...after.hidden]) {
    const { name, sectionPath } = tool;
    const isOpened = opened.some(({ path }) => `${sectionPath}.`.startsWith(`${path}.`));
    // A tool without a section is not found: an extension brings it.
    if (sectionPath === '' || isOpened || before.findCallable(name) !== undefined) continue;
    tokens.set(sectionPath, (tokens.get(sectionPath) ?? 0) + estimateToolTokens(tool, before.estimator));
  }
  return [...tokens].map(([path, tools]) => Object.freeze({ path, summary: 0, content: 0, tools, total: tools }));
}

/** Estimates the tokens of a tool, written approximately as providers do. @throws ToolwrightError E512 */
export function estimateToolTokens({ name, description, schema }: ToolView, estimator: TokenEstimator): number {
  return estimator(JSON.stringify({ name, description, parameters: schema }));
}

/** A tool that shows summarised sections (docs/contract.md, 12). */
export type OpeningTool = 'open_sections' | 'read_section';

/** A tool that changes the offered tools and sections (docs/prompts.md, Search). */
export type DisclosureTool = OpeningTool | 'search_tools';

/**
 * Returns the hint below a summary, which tells the model how to get the whole section.
 *
 * @param children keys of the enabled sections directly below
 */
export function writeOpeningHint(tool: OpeningTool, path: string, children: readonly string[]): string {
  const hint =
    children.length === 0
      ? `To view full content, call \`${tool}\` with key "${path}".`
      : `Call \`${tool}\` with key "${path}" to view full content including subsections: ${children.join(', ')}.`;
  return `---\n[This section is summarized. ${hint}]`;
}
