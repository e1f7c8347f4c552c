import type { SectionCost } from '../../value/SectionCost.js';
import { estimateToolTokens } from '../disclosure/estimateOpeningCosts.js';
import type { RenderedPrompt } from '../RenderedPrompt.js';

/**
 * Returns the costs of the tools that a rendering adds in sections that were open before, one entry for each section.
 *
 * @param opened the costs of the sections that were opened as well, which include their tools
 * @throws ToolwrightError E512
 */
export function estimateFoundCosts(
  before: RenderedPrompt,
  after: RenderedPrompt,
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
