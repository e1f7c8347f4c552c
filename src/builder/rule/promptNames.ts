import { className } from '../../common/classes.js';
import { finding } from '../../error/Finding.js';
import type { Rule } from '../PromptDraft.js';
import { emptyText } from './emptyText.js';

/** E306: a prompt has a namespace and a key. */
export const promptNames: Rule = ({ type, options }) =>
  (['ns', 'key'] as const).flatMap((name) => {
    const problem = emptyText(options[name]);
    if (problem === undefined) return [];
    const place = className(type);
    return [finding('E306', `${name} is ${problem}`, { place, className: place, placeholder: name })];
  });
