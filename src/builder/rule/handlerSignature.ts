import type { Rule } from '../PromptDraft.js';
import { toolFinding } from './toolFinding.js';

/** E105, E106, E107, E207, E219, E307: a handler can be called with the arguments of its signature. */
export const handlerSignature: Rule = ({ allTools }) =>
  allTools.flatMap((tool) => {
    if (tool.defined || (tool.args.place !== 'method' && tool.args.place !== 'class')) {
      return tool.defined && 'code' in tool.handler ? [toolFinding(tool.handler.code, tool, tool.handler.problem)] : [];
    }
    if (tool.args.place === 'class') {
      const prototype = tool.owner.prototype as { handle?: unknown };
      if (typeof prototype.handle !== 'function')
        return [toolFinding('E107', tool, 'the class has no method named handle')];
      if ('code' in tool.handler && tool.handler.code === 'E106')
        return [toolFinding('E107', tool, 'handle takes params, and @Tool does not name their class')];
    }
    if (!('code' in tool.handler)) return [];
    const { code, problem, remedy } = tool.handler;
    return [toolFinding(code, tool, problem, remedy === undefined ? {} : { remedy })];
  });
