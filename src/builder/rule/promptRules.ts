import { className } from '../../common/classes.js';
import { quote } from '../../common/text.js';
import type { Finding } from '../../error/Finding.js';
import type { PromptDraft, Rule } from '../PromptDraft.js';
import { createClassFinding, createRepeatFindings, isEmptyText } from './createFindings.js';

/** Checks that namespace and key identify one prompt of an application (E313). The later prompt is reported. */
export function findRepeatedPrompts(drafts: readonly PromptDraft[]): readonly Finding[] {
  const named = drafts.map(({ type, options }) => ({
    type,
    names: [options.ns as unknown, options.key as unknown].map((name) => (typeof name === 'string' ? name.trim() : '')),
  }));
  return createRepeatFindings(
    named,
    // Missing names are reported by another rule.
    ({ names }) => (names.includes('') ? undefined : JSON.stringify(names)),
    ({ type, names: [ns, key] }, first) => {
      const problem =
        first.type === type
          ? 'it is listed twice in prompts'
          : `ns ${quote(ns)} and key ${quote(key)} already belong to ${className(first.type)}`;
      return createClassFinding('E313', type, problem, { placeholder: key });
    },
  );
}

/** Checks that a prompt has a namespace and a key (E306). */
export const checkPromptNames: Rule = ({ type, options }) =>
  (['ns', 'key'] as const).flatMap((name) => {
    const problem = isEmptyText(options[name]);
    return problem === undefined
      ? []
      : [createClassFinding('E306', type, `${name} is ${problem}`, { placeholder: name })];
  });
