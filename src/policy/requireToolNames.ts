import { createPlacedError, type ToolwrightError } from '../error/ToolwrightError.js';

/** Creates the error for policy options that are empty, or that no call could satisfy. */
export function createDeclarationError(policy: string, problem: string): ToolwrightError {
  return createPlacedError(problem, { code: 'E713', place: policy });
}

/** Returns each name once. @throws ToolwrightError E713 unless given a list of tool names */
export function requireToolNames(policy: string, option: string, given: unknown): readonly string[] {
  const names: readonly unknown[] = Array.isArray(given) ? given : [];
  const isNamed = names.length > 0 && names.every((name) => typeof name === 'string' && name !== '');
  if (!isNamed) throw createDeclarationError(policy, `${option} names at least one tool, each by its name`);
  return Object.freeze([...new Set(names as readonly string[])]);
}
