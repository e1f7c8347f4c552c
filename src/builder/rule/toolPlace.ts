import type { Rule } from '../PromptDraft.js';
import { toolFinding } from './toolFinding.js';

/** E103: `@Tool` stands on an instance method or a class. */
export const toolPlace: Rule = ({ allTools }) =>
  allTools
    .filter(({ args }) => args.place !== 'method' && args.place !== 'class')
    .map((tool) =>
      toolFinding('E103', tool, `@Tool stands on a${tool.args.place === 'accessor' ? 'n' : ''} ${tool.args.place}`),
    );
