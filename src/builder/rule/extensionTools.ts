import { everyCaller } from '../../value/ToolCaller.js';
import type { Rule } from '../PromptDraft.js';
import { toolFinding } from './toolFinding.js';

/** Tools that an extension of the prompt cannot support, such as E661: reported at creation, not at rendering. */
export const extensionTools: Rule = ({ options, allTools }) => {
  const byName = new Map(allTools.map((tool) => [tool.name, tool]));
  const tools = [...byName.values()].map(({ name, options: { callers = everyCaller } }) => ({ name, callers }));
  return (options.extensions ?? []).flatMap((extension) =>
    (extension.check?.(tools) ?? []).flatMap(({ code, toolName, problem }) => {
      const tool = byName.get(toolName);
      const objection = `the extension ${extension.name} cannot take the tool "${toolName}": ${problem}`;
      return tool === undefined ? [] : [toolFinding(code, tool, objection, { placeholder: toolName })];
    }),
  );
};
