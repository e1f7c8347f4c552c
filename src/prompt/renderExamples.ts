import { serialiserOf } from '../schema/write/serialise.js';
import type { RenderedTool } from './RenderedTool.js';

/** Renders the examples of a section's tools as a short block; empty if there are none. */
export function renderExamples(tools: readonly RenderedTool[]): string {
  const lines = tools.flatMap((tool) => {
    const serialiser = serialiserOf(tool.metadata.fieldNames);
    return tool.examples.map(({ description, input, output }) => {
      const call = `${tool.name}(${input === null ? '' : JSON.stringify(serialiser.toPlain(input))})`;
      return `- ${description.trim()}: \`${call}\`${output === null ? '' : ` gives \`${JSON.stringify(serialiser.toPlain(output))}\``}`;
    });
  });
  return lines.length === 0 ? '' : `Examples:\n${lines.join('\n')}`;
}
