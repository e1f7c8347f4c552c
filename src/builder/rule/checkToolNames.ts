import { quote } from '../../common/text.js';
import type { ToolTexts } from '../../metadata/args/ToolMetadataArgs.js';
import type { Rule } from '../PromptDraft.js';
import { mapNameOwners } from './toolNameRules.js';
import { suggestName } from './suggestName.js';
import { WIDER } from './checkToolDescriptions.js';
import { createToolFinding } from './createFindings.js';

const LEGAL: Readonly<Record<ToolTexts, RegExp>> = { portable: /^[a-z0-9_-]{1,64}$/, wide: /^[A-Za-z0-9_-]{1,64}$/ };
const LETTERS: Readonly<Record<ToolTexts, string>> = { portable: 'a-z, 0-9, _ and -', wide: 'A-Z, a-z, 0-9, _ and -' };

/**
 * Checks that the name of a tool is legal as declared (E101). An illegal name is never repaired, but a legal one is
 * suggested.
 */
export const checkToolNames: Rule = (draft) => {
  const { allTools, toolTexts } = draft;
  const taken = new Set([...allTools.map(({ name }) => name), ...mapNameOwners(draft).keys()]);
  return allTools
    .filter(({ name }) => !LEGAL[toolTexts].test(name))
    .map((tool) => {
      const { name } = tool;
      const shown = `${quote(name)} (${String(name.length)} characters${listCodePoints(name)})`;
      const suggestion = suggestName(name, (one) => taken.has(one));
      taken.add(suggestion);
      const remedy = LEGAL.wide.test(name)
        ? `Write it in lower case, as "${suggestion}"; or allow capitals: ${WIDER}`
        : `Name it "${suggestion}" with @Tool({ name }), or rename the method that the name is derived from.`;
      return createToolFinding('E101', tool, `the tool name ${shown} is not 1 to 64 of ${LETTERS[toolTexts]}`, {
        placeholder: name.trim() === '' ? undefined : name.trim(),
        remedy,
      });
    });
};

/** Lists the code points of characters that are not printable ASCII but may look like it. */
function listCodePoints(name: string): string {
  const foreign = Array.from(name)
    .filter((character) => !/[\x20-\x7e]/.test(character))
    .slice(0, 4);
  if (foreign.length === 0) return '';
  const shown = foreign.map(
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `, with ${shown.join(' ')}`;
}
