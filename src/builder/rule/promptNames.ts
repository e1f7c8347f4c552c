import { className } from '../../common/classes.js';
import { finding } from '../../error/Finding.js';
import type { Rule } from '../PromptDraft.js';

/** E306: a prompt has a namespace and a key. */
export const promptNames: Rule = ({ type, options }) =>
  (['ns', 'key'] as const)
    .filter((name) => ((options[name] as string | undefined) ?? '').trim() === '')
    .map((name) =>
      finding('E306', `${name} is empty`, { place: className(type), className: className(type), placeholder: name }),
    );
