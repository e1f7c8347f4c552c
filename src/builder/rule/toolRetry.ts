import { effectOf } from '../../metadata/effectOf.js';
import type { Rule } from '../PromptDraft.js';
import { toolFinding } from './toolFinding.js';

/** E113: a retry of a tool that might do twice what it does elsewhere. */
export const toolRetry: Rule = ({ allTools }) =>
  allTools
    .filter(({ options }) => options.retry !== undefined && effectOf(options.hints ?? {}) === 'unknown')
    .map((tool) => toolFinding('E113', tool, 'it has retry, and nothing says that it may be repeated'));
