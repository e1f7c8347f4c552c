import { MAX_TOOL_NAME_CHARS } from '../../common/limits.js';
import { snakeCase } from '../../common/text.js';

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
export function suggestName(name: string, isTaken: (name: string) => boolean): string {
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
