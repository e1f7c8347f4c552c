import { className, classChain } from '../../common/classes.js';
import { finding } from '../../error/Finding.js';
import { knownArgs } from '../../metadata/args/MetadataArgsStorage.js';
import type { Rule } from '../PromptDraft.js';

/** E110: a method, or a class, is one tool; a second `@Tool` on it would silently lose one of them. */
export const toolRepeated: Rule = ({ allSections, allTools }) => {
  const types = new Set(
    [...allSections, ...allTools.map(({ owner }) => ({ type: owner }))].flatMap(({ type }) => classChain(type)),
  );
  return [...types].flatMap((type) => {
    const members = (knownArgs(type)?.tools ?? []).map(({ member }) => member);
    return members
      .filter((member, index) => members.indexOf(member) !== index)
      .map((member) =>
        finding('E110', 'it carries @Tool more than once', {
          place: member === undefined ? className(type) : `${className(type)}.${String(member)}`,
          className: className(type),
          member: member === undefined ? undefined : String(member),
        }),
      );
  });
};
