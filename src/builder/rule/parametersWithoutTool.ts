import { className, classChain, memberLabel } from '../../common/classes.js';
import type { Constructor } from '../../common/types.js';
import { finding, type Finding } from '../../error/Finding.js';
import { knownArgs } from '../../metadata/args/MetadataArgsStorage.js';
import type { Rule } from '../PromptDraft.js';

/** E111: `@Param` and `@Ctx` on a method define the arguments of a tool; without `@Tool` they would be ignored. */
export const parametersWithoutTool: Rule = ({ allSections, allTools }) =>
  [...new Set([...allSections.map(({ type }) => type), ...allTools.map(({ owner }) => owner)])].flatMap(strayMembers);

function strayMembers(type: Constructor): readonly Finding[] {
  const classes = classChain(type).flatMap((owner) => knownArgs(owner) ?? []);
  const tools = new Set(classes.flatMap(({ tools }) => tools).map(({ member }) => member ?? 'handle'));
  const decorated = classes.flatMap(({ parameters, contexts }) => [
    ...parameters.map(({ member, index }) => ({ member, index, decorator: '@Param' })),
    ...contexts.map(({ member, index }) => ({ member, index, decorator: '@Ctx' })),
  ]);
  const reported = new Set<string | symbol>();
  return decorated.flatMap(({ member, index, decorator }) => {
    // A constructor's parameters have a rule of their own.
    if (member === undefined || tools.has(member) || reported.has(member)) return [];
    reported.add(member);
    return [
      finding('E111', `parameter ${String(index)} carries ${decorator}, but the method carries no @Tool`, {
        place: memberLabel(type, member),
        className: className(type),
        member: String(member),
      }),
    ];
  });
}
