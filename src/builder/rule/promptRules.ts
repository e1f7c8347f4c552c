import { className } from '../../common/classes.js';
import { quote } from '../../common/text.js';
import { createFinding, type Finding } from '../../error/Finding.js';
import type { PromptDraft, Rule } from '../PromptDraft.js';
import { isEmptyText } from './createFindings.js';

/** Checks that namespace and key identify one prompt of an application (E313). The later prompt is reported. */
export function findRepeatedPrompts(drafts: readonly PromptDraft[]): readonly Finding[] {
  const first = new Map<string, PromptDraft>();
  return drafts.flatMap((draft) => {
    const names = [draft.options.ns as unknown, draft.options.key as unknown].map((name) =>
      typeof name === 'string' ? name.trim() : '',
    );
    // Missing names are reported by another rule.
    if (names.includes('')) return [];
    const other = first.get(JSON.stringify(names));
    if (other === undefined) {
      first.set(JSON.stringify(names), draft);
      return [];
    }
    const place = className(draft.type);
    const under = `ns ${quote(names[0])} and key ${quote(names[1])}`;
    const problem =
      other.type === draft.type
        ? 'it is listed twice in prompts'
        : `${under} already belong to ${className(other.type)}`;
    return [createFinding('E313', problem, { place, className: place, placeholder: names[1] })];
  });
}

/** Checks that a prompt has a namespace and a key (E306). */
export const checkPromptNames: Rule = ({ type, options }) =>
  (['ns', 'key'] as const).flatMap((name) => {
    const problem = isEmptyText(options[name]);
    if (problem === undefined) return [];
    const place = className(type);
    return [createFinding('E306', `${name} is ${problem}`, { place, className: place, placeholder: name })];
  });
