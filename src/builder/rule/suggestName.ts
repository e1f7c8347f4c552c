import { snakeCase } from '../../common/text.js';

const LONGEST = 64;

/** Letters of other scripts that look like Latin ones but are not mapped to them by Unicode. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ...{ а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ј: 'j', ѕ: 's', һ: 'h', ԁ: 'd', ӏ: 'l' },
  ...{ А: 'A', В: 'B', Е: 'E', К: 'K', М: 'M', Н: 'H', О: 'O', Р: 'P', С: 'C', Т: 'T', Х: 'X', І: 'I', Ј: 'J', Ѕ: 'S' },
  ...{ α: 'a', ο: 'o', ν: 'v', ρ: 'p', ι: 'i', κ: 'k', ɡ: 'g', ı: 'i', ß: 'ss', æ: 'ae', ø: 'o', ł: 'l' },
};

/**
 * Suggests a legal name for an illegal one: `get-Order!` → `get_order`. A suggestion is only shown, because a name that
 * is changed silently could be mistaken for another.
 *
 * @param isTaken true for a name that another tool of the prompt has
 */
export function suggestName(name: string, isTaken: (name: string) => boolean): string {
  const latin = Array.from(name.normalize('NFKD'), (character) => LOOK_ALIKES[character] ?? character).join('');
  const spelled = snakeCase(latin.replace(/[\p{M}\p{Cf}]/gu, ''))
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, LONGEST)
    .replace(/^_+|_+$/g, '');
  const base = spelled === '' ? 'tool' : spelled;
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? '' : `_${String(count)}`;
    const suggestion = `${base.slice(0, LONGEST - suffix.length)}${suffix}`;
    if (!isTaken(suggestion)) return suggestion;
  }
}
