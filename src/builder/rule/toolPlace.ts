import type { Rule } from '../PromptDraft.js';
import { toolFinding } from './toolFinding.js';

/** E103: `@Tool` is applied to an instance method or a class. */
export const toolPlace: Rule = ({ allTools }) =>
  allTools
    .filter(({ args }) => args.place !== 'method' && args.place !== 'class')
    .map((tool) =>
      toolFinding('E103', tool, `@Tool is applied to a${tool.args.place === 'accessor' ? 'n' : ''} ${tool.args.place}`),
    );
