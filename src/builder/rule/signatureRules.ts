import { className, classChain, memberLabel } from '../../common/classes.js';
import { createFinding, type Finding } from '../../error/Finding.js';
import { findArgs } from '../../metadata/args/MetadataArgsStorage.js';
import type { Rule } from '../PromptDraft.js';
import { createToolFinding } from './createFindings.js';
import type { Constructor } from '../../common/types.js';

/**
 * Checks that `@Param` and `@Ctx` are on parameters of handlers (E207). The container decides about parameters of
 * constructors.
 */
export const checkConstructorParameters: Rule = ({ allSections, allTools }) =>
  [...new Set([...allSections.map(({ type }) => type), ...allTools.map(({ owner }) => owner)])].flatMap((type) => {
    const args = findArgs(type);
    const rows = [
      ...(args?.parameters ?? []).map((row) => ({ ...row, decorator: '@Param' })),
      ...(args?.contexts ?? []).map((row) => ({ ...row, decorator: '@Ctx' })),
    ];
    return rows
      .filter(({ member }) => member === undefined)
      .map(({ decorator, index }) =>
        createFinding('E207', `${decorator} is applied to parameter ${String(index)} of the constructor`, {
          place: className(type),
          className: className(type),
          member: 'constructor',
          remedy: 'Remove it: the container decides about the arguments of a constructor.',
        }),
      );
  });

/** Checks that a handler can be called with the arguments of its signature (E105, E106, E107, E207, E219, E307). */
export const checkHandlerSignatures: Rule = ({ allTools }) =>
  allTools.flatMap((tool) => {
    if (tool.defined || (tool.args.place !== 'method' && tool.args.place !== 'class')) {
      return tool.defined && 'code' in tool.handler
        ? [createToolFinding(tool.handler.code, tool, tool.handler.problem)]
        : [];
    }
    if (tool.args.place === 'class') {
      const prototype = tool.owner.prototype as { handle?: unknown };
      if (typeof prototype.handle !== 'function')
        return [createToolFinding('E107', tool, 'the class has no method named handle')];
      if ('code' in tool.handler && tool.handler.code === 'E106')
        return [createToolFinding('E107', tool, 'handle takes params, but @Tool does not name their class')];
    }
    if (!('code' in tool.handler)) return [];
    const { code, problem, remedy } = tool.handler;
    return [createToolFinding(code, tool, problem, remedy === undefined ? {} : { remedy })];
  });

/** Checks that methods with `@Param` or `@Ctx` also have `@Tool` (E111). Without it, both would be ignored. */
export const checkStrayParameters: Rule = ({ allSections, allTools }) =>
  [...new Set([...allSections.map(({ type }) => type), ...allTools.map(({ owner }) => owner)])].flatMap(
    findStrayMembers,
  );

function findStrayMembers(type: Constructor): readonly Finding[] {
  const classes = classChain(type).flatMap((owner) => findArgs(owner) ?? []);
  const tools = new Set(classes.flatMap(({ tools }) => tools).map(({ member }) => member ?? 'handle'));
  const decorated = classes.flatMap(({ parameters, contexts }) => [
    ...parameters.map(({ member, index }) => ({ member, index, decorator: '@Param' })),
    ...contexts.map(({ member, index }) => ({ member, index, decorator: '@Ctx' })),
  ]);
  const reported = new Set<string | symbol>();
  return decorated.flatMap(({ member, index, decorator }) => {
    // Parameters of a constructor are checked by another rule.
    if (member === undefined || tools.has(member) || reported.has(member)) return [];
    reported.add(member);
    return [
      createFinding('E111', `parameter ${String(index)} has ${decorator}, but the method has no @Tool`, {
        place: memberLabel(type, member),
        className: className(type),
        member: String(member),
      }),
    ];
  });
}
