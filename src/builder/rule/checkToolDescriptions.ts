import { MAX_DESCRIPTION_CHARS } from '../../common/limits.js';
import { quote } from '../../common/text.js';
import type { ToolTexts } from '../../metadata/args/ToolMetadataArgs.js';
import type { Rule } from '../PromptDraft.js';
import { isEmptyText, createToolFinding } from './createFindings.js';

/** Names the option that allows more. */
export const WIDER =
  "toolTexts: 'wide' of the prompt or of createApplication allows names with capitals, and descriptions of 1,024 characters of any script.";

/** Describes the fault of a description, or returns undefined. Checks the length before the characters. */
export function findDescriptionProblem(given: unknown, texts: ToolTexts): string | undefined {
  const problem = isEmptyText(given);
  if (problem !== undefined) return `the description is ${problem}`;
  const description = (given as string).trim();
  // Providers count characters, not UTF-16 units.
  const { length } = texts === 'wide' ? Array.from(description) : description;
  const most = MAX_DESCRIPTION_CHARS[texts];
  if (length > most) return `the description has ${String(length)} characters; at most ${String(most)} are allowed`;
  const foreign = texts === 'wide' ? undefined : /[^\n\r\t\x20-\x7e]/u.exec(description)?.[0];
  return foreign === undefined ? undefined : `the description contains ${quote(foreign)}, which is not ASCII`;
}

/** Checks that a description has 1 to 200 ASCII characters, or more of any script if the prompt allows it (E102). */
export const checkToolDescriptions: Rule = ({ allTools, toolTexts }) =>
  allTools.flatMap((tool) => {
    const { description } = tool.options;
    const problem = findDescriptionProblem(description, toolTexts);
    if (problem === undefined) return [];
    const isWideEnough = findDescriptionProblem(description, 'wide') === undefined;
    const remedy = isWideEnough ? `Write it in at most 200 ASCII characters; or allow it: ${WIDER}` : undefined;
    return [createToolFinding('E102', tool, problem, { placeholder: 'description', remedy })];
  });
