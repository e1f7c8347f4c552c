import type { Rule, ToolDraft } from '../PromptDraft.js';
import { createToolFinding } from './createFindings.js';
import { getEffect } from '../../value/ToolHints.js';
import { className, classChain } from '../../common/classes.js';
import { createFinding } from '../../error/Finding.js';
import { findArgs } from '../../metadata/args/MetadataArgsStorage.js';

/** Checks that a tool name is unique in the whole prompt (E104). The later tool is reported. */
export const checkToolUniqueness: Rule = ({ allTools }) => {
  const first = new Map<string, ToolDraft>();
  return allTools.flatMap((tool) => {
    const other = first.get(tool.name);
    if (other === undefined) {
      first.set(tool.name, tool);
      return [];
    }
    return [
      createToolFinding(
        'E104',
        tool,
        `the tool name "${tool.name}" is already used by ${other.place} in section ${other.sectionPath}`,
        { placeholder: tool.name },
      ),
    ];
  });
};

/** Checks that `@Tool` is applied to an instance method or a class (E103). */
export const checkToolPlace: Rule = ({ allTools }) =>
  allTools
    .filter(({ args }) => args.place !== 'method' && args.place !== 'class')
    .map((tool) =>
      createToolFinding(
        'E103',
        tool,
        `@Tool is applied to a${tool.args.place === 'accessor' ? 'n' : ''} ${tool.args.place}`,
      ),
    );

/** Checks that the result is declared once and can be described (E112, E201, E216). */
export const checkToolResults: Rule = ({ allTools }) =>
  allTools.flatMap((tool) => {
    if (tool.options.result !== undefined && tool.options.returnSchema !== undefined)
      return [createToolFinding('E112', tool, 'it has result and returnSchema', { placeholder: 'returnSchema' })];
    if (tool.result === null || 'kind' in tool.result) return [];
    return [
      createToolFinding(tool.result.code ?? 'E201', tool, `its result cannot be described: ${tool.result.problem}`, {
        placeholder: 'result',
        ...('remedy' in tool.result ? { remedy: tool.result.remedy } : {}),
      }),
    ];
  });

/** Checks that a tool with retry may be repeated (E113). */
export const checkToolRetries: Rule = ({ allTools }) =>
  allTools
    .filter(({ options }) => options.retry !== undefined && getEffect(options.hints ?? {}) === 'unknown')
    .map((tool) => createToolFinding('E113', tool, 'it has retry, but no hint says that it may be repeated'));

/** Checks that a method or class has only one `@Tool` (E110). A second one would silently replace the first. */
export const checkRepeatedTools: Rule = ({ allSections, allTools }) => {
  const types = new Set(
    [...allSections, ...allTools.map(({ owner }) => ({ type: owner }))].flatMap(({ type }) => classChain(type)),
  );
  return [...types].flatMap((type) => {
    const members = (findArgs(type)?.tools ?? []).map(({ member }) => member);
    return members
      .filter((member, index) => members.indexOf(member) !== index)
      .map((member) =>
        createFinding('E110', 'it has @Tool more than once', {
          place: member === undefined ? className(type) : `${className(type)}.${String(member)}`,
          className: className(type),
          member: member === undefined ? undefined : String(member),
        }),
      );
  });
};
