import { className, isClass, memberLabel } from '../common/classes.js';
import { createFinding, type Finding } from '../error/Finding.js';
import { PromptValidationError } from '../error/PromptError.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import { readHookField, readHookMember, hooks, type HookMember } from './readHooks.js';

/**
 * Adds to the metadata of a section the hooks that only its instance has: fields, such as arrow functions, and the
 * methods of an instance of another class that the container provided. An option of `@Section` wins over all of them.
 *
 * @throws PromptValidationError E314 for a field that cannot be called
 */
export function addInstanceHooks(section: SectionMetadata, instance: object): SectionMetadata {
  const found: { -readonly [H in keyof Pick<SectionMetadata, (typeof hooks)[number]>]?: SectionMetadata[H] } = {};
  const findings: Finding[] = [];
  for (const name of hooks) {
    const { method, problem } = readInstanceHook(section, instance, name);
    if (problem !== undefined) findings.push(createHookFinding(section, name, problem));
    else if (method !== undefined) Object.assign(found, { [name]: method });
  }
  const [first, ...others] = findings;
  if (first !== undefined) throw new PromptValidationError([first, ...others]);
  return Object.keys(found).length === 0 ? section : Object.freeze({ ...section, ...found });
}

function readInstanceHook(section: SectionMetadata, instance: object, name: (typeof hooks)[number]): HookMember {
  const { method } = readHookMember(section.type, name);
  // A hook that is not a method of the class is an option.
  if (section[name] !== method) return {};
  const field = readHookField(instance, name);
  if (field.method !== undefined || field.problem !== undefined) return field;
  const type: unknown = (instance as { readonly constructor?: unknown }).constructor;
  return type === section.type || !isClass(type) ? {} : readHookMember(type, name);
}

function createHookFinding(section: SectionMetadata, member: string, problem: string): Finding {
  return createFinding('E314', problem, {
    place: memberLabel(section.type, member),
    className: className(section.type),
    member,
    sectionPath: section.path,
    placeholder: member,
  });
}
