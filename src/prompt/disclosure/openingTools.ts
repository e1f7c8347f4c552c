/** The tools that show summarised sections, in the order in which they are offered (runtime contract, 12). */
export const openingTools = ['open_sections', 'read_section'] as const;

/** One of `openingTools`. */
export type OpeningTool = (typeof openingTools)[number];

/**
 * What stands below a summary: how the model comes to the whole section.
 *
 * @param children keys of the enabled sections directly below
 */
export function openingHint(tool: OpeningTool, path: string, children: readonly string[]): string {
  const hint =
    children.length === 0
      ? `To view full content, call \`${tool}\` with key "${path}".`
      : `Call \`${tool}\` with key "${path}" to view full content including subsections: ${children.join(', ')}.`;
  return `---\n[This section is summarized. ${hint}]`;
}
