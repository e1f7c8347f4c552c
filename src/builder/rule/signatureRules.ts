import { classChain, memberLabel } from '../../common/classes.js';
import type { Constructor } from '../../common/types.js';
import type { Finding } from '../../error/Finding.js';
import { findArgs, type ClassArgs } from '../../metadata/args/MetadataArgsStorage.js';
import { listBuiltClasses, type Rule } from '../PromptDraft.js';
import { createClassFinding, createToolFinding } from './createFindings.js';

/** Lists the parameters with `@Param`, then those with `@Ctx`. A parameter of the constructor has no member. */
function listDecorated(args: ClassArgs | undefined) {
  return [
    ...(args?.parameters ?? []).map(({ member, index }) => ({ member, index, decorator: '@Param' })),
    ...(args?.contexts ?? []).map(({ member, index }) => ({ member, index, decorator: '@Ctx' })),
  ];
}

/** Checks that `@Param` and `@Ctx` are not on constructors (E207): the container decides about their parameters. */
export const checkConstructorParameters: Rule = (draft) =>
  listBuiltClasses(draft).flatMap((type) =>
    listDecorated(findArgs(type))
      .filter(({ member }) => member === undefined)
      .map(({ decorator, index }) =>
        createClassFinding('E207', type, `${decorator} is applied to parameter ${String(index)} of the constructor`, {
          member: 'constructor',
          remedy: 'Remove it: the container decides about the arguments of a constructor.',
        }),
      ),
  );

/** Checks that a handler can be called with the arguments of its signature (E105, E106, E107, E207, E219, E307). */
export const checkHandlerSignatures: Rule = ({ allTools }) =>
  allTools.flatMap((tool) => {
    const { args, defined, handler, owner } = tool;
    const fault = 'code' in handler ? handler : undefined;
    if (defined) return fault === undefined ? [] : [createToolFinding(fault.code, tool, fault.problem)];
    if (args.place === 'class') {
      if (typeof (owner.prototype as { handle?: unknown }).handle !== 'function')
        return [createToolFinding('E107', tool, 'the class has no method named handle')];
      if (fault?.code === 'E106')
        return [createToolFinding('E107', tool, 'handle takes params, but @Tool does not name their class')];
    }
    // Any other place is reported by another rule.
    const isHandler = args.place === 'method' || args.place === 'class';
    if (fault === undefined || !isHandler) return [];
    return [createToolFinding(fault.code, tool, fault.problem, { remedy: fault.remedy })];
  });

/** Checks that methods with `@Param` or `@Ctx` also have `@Tool` (E111). Without it, both would be ignored. */
export const checkStrayParameters: Rule = (draft) => listBuiltClasses(draft).flatMap(findStrayMembers);

function findStrayMembers(type: Constructor): readonly Finding[] {
  const classes = classChain(type).flatMap((owner) => findArgs(owner) ?? []);
  const tools = new Set(classes.flatMap(({ tools }) => tools).map(({ member }) => member ?? 'handle'));
  const reported = new Set<string | symbol>();
  return classes.flatMap(listDecorated).flatMap(({ member, index, decorator }) => {
    // Parameters of a constructor are checked by another rule.
    if (member === undefined || tools.has(member) || reported.has(member)) return [];
    reported.add(member);
    const problem = `parameter ${String(index)} has ${decorator}, but the method has no @Tool`;
    return [createClassFinding('E111', type, problem, { place: memberLabel(type, member), member: String(member) })];
  });
}
