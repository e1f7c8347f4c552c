/** A tool that shows summarised sections (docs/contract.md, 12). */
export type OpeningTool = 'open_sections' | 'read_section';

/**
 * Returns the hint below a summary, which tells the model how to get the whole section.
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
