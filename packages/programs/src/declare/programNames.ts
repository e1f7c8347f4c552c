import { createProgramNames, ProgramError } from 'toolwright/internal';
import type { ToolMetadata } from 'toolwright/types';

/**
 * Returns the names of tools in programs by their names on the wire.
 *
 * @throws ProgramError E661 and E662
 */
export function listIdentifiers(names: readonly string[]): ReadonlyMap<string, string> {
  const {
    identifiers,
    objections: [first],
  } = createProgramNames(names);
  if (first === undefined) return identifiers;
  throw new ProgramError(first.problem, { code: first.code, place: first.toolName });
}

/**
 * Returns the remote names of tools as identifiers. Leaves out a name that programs use otherwise, that another tool
 * has, or that is ambiguous: it must not refer to another tool.
 *
 * @returns names on the wire by remote names
 */
export function listRemoteNames(
  tools: readonly Pick<ToolMetadata, 'name' | 'remoteName'>[],
): ReadonlyMap<string, string> {
  const names = tools.map(({ name }) => name);
  const taken = new Set([...names, ...createProgramNames(names).identifiers.values()]);
  const owners = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const { name, remoteName } of tools) {
    if (remoteName === undefined) continue;
    const { identifiers, objections } = createProgramNames([remoteName]);
    const further = identifiers.get(remoteName) ?? remoteName;
    if (taken.has(further) || objections.length > 0 || further in Object.prototype) continue;
    if (owners.has(further)) ambiguous.add(further);
    owners.set(further, name);
  }
  return new Map([...owners].filter(([further]) => !ambiguous.has(further)));
}
