import { quote } from '../../common/text.js';
import type { Rule } from '../PromptDraft.js';
import { toolFinding } from './toolFinding.js';

const LEGAL = /^[a-z0-9_-]{1,64}$/;

/** E101: a tool's name is legal as declared; it is never repaired. */
export const toolName: Rule = ({ allTools }) =>
  allTools
    .filter(({ name }) => !LEGAL.test(name))
    .map((tool) =>
      toolFinding(
        'E101',
        tool,
        `the tool name ${quote(tool.name)} (${String(tool.name.length)} characters${codePoints(tool.name)}) is not 1 to 64 of a-z, 0-9, _ and -`,
        {
          placeholder: tool.name.trim() === '' ? undefined : tool.name.trim(),
        },
      ),
    );

/** Lists the code points of characters that are not printable ASCII, which may look like it. */
function codePoints(name: string): string {
  const foreign = Array.from(name)
    .filter((character) => !/[\x20-\x7e]/.test(character))
    .slice(0, 4);
  if (foreign.length === 0) return '';
  const shown = foreign.map(
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `, with ${shown.join(' ')}`;
}
