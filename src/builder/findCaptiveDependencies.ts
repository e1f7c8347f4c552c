import { className } from '../common/classes.js';
import type { Constructor } from '../common/types.js';
import { readEmittedParameters, isService, formatPath } from '../container/constructorPath.js';
import type { Finding } from '../error/Finding.js';
import type { ResourceBinding, ResourceLifetime } from '../interface/ResourceBinding.js';
import { isToolContext } from '../tool/ToolContext.js';
import { listBuiltClasses, type PromptDraft } from './PromptDraft.js';
import { createClassFinding } from './rule/createFindings.js';

/**
 * Finds constructors that depend on objects of a single call (E404). Sections and class tools are built once with all
 * their dependencies, so a container would create an additional instance, which every call of every session would
 * share.
 */
export function findCaptiveDependencies(
  draft: PromptDraft,
  ofApplication: readonly ResourceBinding[],
): readonly Finding[] {
  const { options, allSections } = draft;
  const lists = [ofApplication, options.resources, ...allSections.map((section) => section.options.resources)];
  const scopes = new Map<unknown, ResourceLifetime>();
  for (const { type, scope } of lists.flatMap((list) => list ?? [])) scopes.set(type, scope);
  const isPerCall = (parameter: unknown): boolean => scopes.get(parameter) === 'toolCall' || isToolContext(parameter);
  return listBuiltClasses(draft).flatMap((type) =>
    findPathsTo(isPerCall, [type], new Set()).map((path) => {
      const problem = `${className(path.at(-1))} lives for one call, and is reached by ${formatPath(path)}`;
      const details = { member: 'constructor', remedy: suggestRemedy(path.at(-1)) };
      return createClassFinding('E404', type, problem, details);
    }),
  );
}

/** Finds every path through constructors to one of the given classes. Visits each class once. */
function findPathsTo(
  isSought: (parameter: unknown) => boolean,
  path: readonly [Constructor, ...Constructor[]],
  seen: Set<unknown>,
): readonly (readonly Constructor[])[] {
  const type = path.at(-1) as Constructor;
  // The container refuses a class without emitted types.
  const parameters = (readEmittedParameters(type) ?? []).filter(isService);
  return parameters.flatMap((parameter) => {
    if (isSought(parameter)) return [[...path, parameter]];
    if (seen.has(parameter)) return [];
    seen.add(parameter);
    return findPathsTo(isSought, [...path, parameter], seen);
  });
}

function suggestRemedy(type: unknown): string {
  return isToolContext(type)
    ? 'Take the ToolContext as a parameter of the handler: (params, context).'
    : `Ask for it in the handler: context.resources.get(${className(type)}).`;
}
