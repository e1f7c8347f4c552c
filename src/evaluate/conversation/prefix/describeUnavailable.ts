import { describeAllOpen, describeClosedTool, describeWithdrawnTool } from '../../../dispatch/finish/outcomeTexts.js';
import type { ConversationHead } from '../../../interface/RunEntry.js';
import type { RenderedPrompt } from '../../../prompt/RenderedPrompt.js';

const OPENERS: ReadonlySet<string> = new Set(['open_sections', 'read_section']);

/** Says why a tool that the conversation knows cannot be called now; undefined for one that it does not know. */
export function describeUnavailable(
  name: string,
  head: ConversationHead | undefined,
  { visibility }: RenderedPrompt,
): string | undefined {
  if (head === undefined) return undefined;
  if (head.offered.some((tool) => tool.name === name))
    return OPENERS.has(name) ? describeAllOpen(name) : describeWithdrawnTool(name);
  const closed = head.closed.find((tool) => tool.name === name);
  if (closed === undefined) return undefined;
  // The outermost summary above the tool is what can be opened.
  const keys = closed.section.split('.');
  const paths = keys.map((_key, index) => keys.slice(0, index + 1).join('.'));
  const section = paths.find((path) => visibility[path] === 'summary');
  return section === undefined ? describeWithdrawnTool(name) : describeClosedTool(name, section);
}
