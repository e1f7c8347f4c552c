import { MAX_TOOL_NAME_CHARS } from '../../common/limits.js';
import { quote, snakeCase } from '../../common/text.js';
import type { ToolTexts } from '../../metadata/args/ToolMetadataArgs.js';
import type { Rule } from '../PromptDraft.js';
import { mapNameOwners } from './toolNameRules.js';
import { WIDER } from './checkToolDescriptions.js';
import { createToolFinding } from './createFindings.js';

const LEGAL: Readonly<Record<ToolTexts, RegExp>> = { portable: /^[a-z0-9_-]{1,64}$/, wide: /^[A-Za-z0-9_-]{1,64}$/ };
const LETTERS: Readonly<Record<ToolTexts, string>> = { portable: 'a-z, 0-9, _ and -', wide: 'A-Z, a-z, 0-9, _ and -' };

/** Checks that the name of a tool is legal (E101). An illegal name is not repaired, but a legal one is suggested. */
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

/** Letters that look like Latin ones but are not mapped to them by Unicode, each followed by its Latin form. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [
    'аa еe оo рp сc уy хx іi јj ѕs һh ԁd ӏl',
    'АA ВB ЕE КK МM НH ОO РP СC ТT ХX ІI ЈJ ЅS',
    'αa οo νv ρp ιi κk ɡg ıi ßss æae øo łl',
  ]
    .join(' ')
    .split(' ')
    .map(([letter = '', ...latin]) => [letter, latin.join('')]),
);

/**
 * Suggests a legal name for an illegal one: `get-Order!` → `get_order`. A suggestion is only shown, because a name that
 * is changed silently could be mistaken for another.
 *
 * @param isTaken true for a name that another tool of the prompt has
 */
function suggestName(name: string, isTaken: (name: string) => boolean): string {
  const latin = Array.from(name.normalize('NFKD'), (character) => LOOK_ALIKES.get(character) ?? character).join('');
  const spelled = snakeCase(latin.replace(/[\p{M}\p{Cf}]/gu, ''))
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_TOOL_NAME_CHARS)
    .replace(/^_+|_+$/g, '');
  const base = spelled === '' ? 'tool' : spelled;
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? '' : `_${String(count)}`;
    const suggestion = `${base.slice(0, MAX_TOOL_NAME_CHARS - suffix.length)}${suffix}`;
    if (!isTaken(suggestion)) return suggestion;
  }
}
