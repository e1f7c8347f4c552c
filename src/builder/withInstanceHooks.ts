import { className, isClass, memberLabel } from '../common/classes.js';
import { finding, type Finding } from '../error/Finding.js';
import { PromptValidationError } from '../error/PromptError.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import { hookField, hookMember, hooks, type HookMember } from './hooks.js';

/**
 * Adds to the metadata of a section the hooks that only its instance has: fields, such as arrow functions, and the methods of an
 * instance of another class that the container provided. An option of `@Section` takes precedence over all of them.
 *
 * @throws PromptValidationError E314 for a field that cannot be called
 */
export function withInstanceHooks(section: SectionMetadata, instance: object): SectionMetadata {
  const found: { -readonly [H in keyof Pick<SectionMetadata, (typeof hooks)[number]>]?: SectionMetadata[H] } = {};
  const findings: Finding[] = [];
  for (const name of hooks) {
    const { method, problem } = instanceHook(section, instance, name);
    if (problem !== undefined) findings.push(hookFinding(section, name, problem));
    else if (method !== undefined) Object.assign(found, { [name]: method });
  }
  const [first, ...others] = findings;
  if (first !== undefined) throw new PromptValidationError([first, ...others]);
  return Object.keys(found).length === 0 ? section : Object.freeze({ ...section, ...found });
}

function instanceHook(section: SectionMetadata, instance: object, name: (typeof hooks)[number]): HookMember {
  const { method } = hookMember(section.type, name);
  // A hook that is not the class's own method is an option.
  if (section[name] !== method) return {};
  const field = hookField(instance, name);
  if (field.method !== undefined || field.problem !== undefined) return field;
  const type: unknown = (instance as { readonly constructor?: unknown }).constructor;
  return type === section.type || !isClass(type) ? {} : hookMember(type, name);
}

function hookFinding(section: SectionMetadata, member: string, problem: string): Finding {
  return finding('E314', problem, {
    place: memberLabel(section.type, member),
    className: className(section.type),
    member,
    sectionPath: section.path,
    placeholder: member,
  });
}
