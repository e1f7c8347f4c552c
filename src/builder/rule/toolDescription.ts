import { quote } from '../../common/text.js';
import type { Rule } from '../PromptDraft.js';
import { emptyText } from './emptyText.js';
import { toolFinding } from './toolFinding.js';

const MOST = 200;

/** The fault of a description, its length checked before its characters; undefined if there is none. */
export function descriptionProblem(given: unknown): string | undefined {
  const problem = emptyText(given);
  if (problem !== undefined) return `the description is ${problem}`;
  const description = (given as string).trim();
  const { length } = description;
  if (length > MOST) return `the description has ${String(length)} characters; at most ${String(MOST)} are possible`;
  const foreign = /[^\n\r\t\x20-\x7e]/.exec(description)?.[0];
  return foreign === undefined ? undefined : `the description holds ${quote(foreign)}, which is not ASCII`;
}

/** E102: a tool's description has 1 to 200 ASCII characters. */
export const toolDescription: Rule = ({ allTools }) =>
  allTools.flatMap((tool) => {
    const problem = descriptionProblem(tool.options.description);
    return problem === undefined ? [] : [toolFinding('E102', tool, problem, { placeholder: 'description' })];
  });
