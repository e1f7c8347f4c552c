import { listBuiltClasses, type Rule } from '../PromptDraft.js';
import { createClassFinding, createRepeatFindings, createToolFinding } from './createFindings.js';
import { getEffect } from '../../value/ToolHints.js';
import { classChain, memberLabel } from '../../common/classes.js';
import { findArgs } from '../../metadata/args/MetadataArgsStorage.js';

/** Checks that a tool name is unique in the whole prompt (E104). The later tool is reported. */
export const checkToolUniqueness: Rule = ({ allTools }) =>
  createRepeatFindings(
    allTools,
    ({ name }) => name,
    (tool, first) => {
      const problem = `the tool name "${tool.name}" is already used by ${first.place} in section ${first.sectionPath}`;
      return createToolFinding('E104', tool, problem, { placeholder: tool.name });
    },
  );

/** Checks that `@Tool` is applied to an instance method or a class (E103). */
export const checkToolPlace: Rule = ({ allTools }) =>
  allTools
    .filter(({ args }) => args.place !== 'method' && args.place !== 'class')
    .map((tool) => {
      const { place } = tool.args;
      return createToolFinding('E103', tool, `@Tool is applied to a${place === 'accessor' ? 'n' : ''} ${place}`);
    });

/** Checks that the result is declared once and can be described (E112, E201, E216). */
export const checkToolResults: Rule = ({ allTools }) =>
  allTools.flatMap((tool) => {
    if (tool.options.result !== undefined && tool.options.returnSchema !== undefined)
      return [createToolFinding('E112', tool, 'it has result and returnSchema', { placeholder: 'returnSchema' })];
    if (tool.result === null || 'kind' in tool.result) return [];
    return [
      createToolFinding(tool.result.code ?? 'E201', tool, `its result cannot be described: ${tool.result.problem}`, {
        placeholder: 'result',
        remedy: 'remedy' in tool.result ? tool.result.remedy : undefined,
      }),
    ];
  });

/** Checks that a tool with retry may be repeated (E113). */
export const checkToolRetries: Rule = ({ allTools }) =>
  allTools
    .filter(({ options }) => options.retry !== undefined && getEffect(options.hints ?? {}) === 'unknown')
    .map((tool) => createToolFinding('E113', tool, 'it has retry, but no hint says that it may be repeated'));

/** Checks that a method or class has only one `@Tool` (E110). A second one would silently replace the first. */
export const checkRepeatedTools: Rule = (draft) =>
  [...new Set(listBuiltClasses(draft).flatMap(classChain))].flatMap((type) => {
    const members = (findArgs(type)?.tools ?? []).map(({ member }) => member);
    return members
      .filter((member, index) => members.indexOf(member) !== index)
      .map((member) =>
        createClassFinding('E110', type, 'it has @Tool more than once', {
          place: memberLabel(type, member),
          member: member === undefined ? undefined : String(member),
        }),
      );
  });
