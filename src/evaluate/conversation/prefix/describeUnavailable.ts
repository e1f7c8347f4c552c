import {
  describeAllOpen,
  describeClosedTool,
  describeNothingToFind,
  describeUnfoundTool,
  describeWithdrawnTool,
} from '../../../dispatch/finish/outcomeTexts.js';
import type { ConversationHead } from '../../../interface/RunEntry.js';
import type { RenderedPrompt } from '../../../prompt/RenderedPrompt.js';

/** The tools that show closed sections, and why one that is offered no longer has nothing to show. */
const OPENERS: ReadonlyMap<string, (name: string) => string> = new Map([
  ['open_sections', describeAllOpen],
  ['read_section', describeAllOpen],
  ['search_tools', describeNothingToFind],
]);

/** Says why a tool that the conversation knows cannot be called now; undefined for one that it does not know. */
export function describeUnavailable(
  name: string,
  head: ConversationHead | undefined,
  rendered: RenderedPrompt,
): string | undefined {
  if (head === undefined) return undefined;
  if (head.offered.some((tool) => tool.name === name)) return (OPENERS.get(name) ?? describeWithdrawnTool)(name);
  const closed = head.closed.find((tool) => tool.name === name);
  if (closed === undefined) return undefined;
  // Only the outermost summary above the tool can be opened.
  const keys = closed.section.split('.');
  const paths = keys.map((_key, index) => keys.slice(0, index + 1).join('.'));
  const { visibility } = rendered;
  const section = paths.find((path) => visibility[path] === 'summary');
  if (section !== undefined) return describeClosedTool(name, section);
  return canBeFound(name, closed.section, rendered) ? describeUnfoundTool(name) : describeWithdrawnTool(name);
}

function canBeFound(name: string, section: string, { toolsByName, metadata, visibility }: RenderedPrompt): boolean {
  if (!toolsByName.has('search_tools') || visibility[section] !== 'full') return false;
  const declared = metadata.allSections.find(({ path }) => path === section);
  return declared?.searchable === true && declared.tools.some((tool) => tool.name === name);
}
