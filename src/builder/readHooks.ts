import { classChain, isClass, memberLabel } from '../common/classes.js';
import { describeValue } from '../common/text.js';
import type { Constructor } from '../common/types.js';
import { isVisibility } from '../value/SectionVisibility.js';
import type { Finding } from '../error/Finding.js';
import { PromptValidationError } from '../error/PromptError.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import { createClassFinding } from './rule/createFindings.js';

/** The hooks of a section, called at each rendering: options, methods, or fields that hold a function. */
export const hooks = ['enabled', 'visibility', 'renderBody'] as const satisfies readonly (keyof SectionMetadata)[];

type Hook = (typeof hooks)[number];

/** The constants that a field may hold instead of a function, as in the option. */
const isConstant: Readonly<Record<Hook, (value: unknown) => boolean>> = {
  enabled: (value) => typeof value === 'boolean',
  visibility: isVisibility,
  renderBody: () => false,
};

/** A hook, or the fault of the member that has its name. Empty if there is no such member. */
interface HookMember<H extends Hook = Hook> {
  readonly method?: SectionMetadata[H];
  readonly problem?: string;
}

/** Reads the member of a class with a hook's name. A getter is not run: it would be read once, without arguments. */
export function readHookMember<H extends Hook>(type: Constructor, name: H): HookMember<H> {
  for (const owner of classChain(type)) {
    const found = Object.getOwnPropertyDescriptor(owner.prototype as object, name);
    if (found !== undefined) return judgeHook(name, found);
  }
  return {};
}

/** Reads the field of an instance that has a hook's name, such as an arrow function. */
function readHookField<H extends Hook>(instance: object, name: H): HookMember<H> {
  const found = Object.getOwnPropertyDescriptor(instance, name);
  if (found === undefined) return {};
  // A field may change while the application runs, so it is read at each rendering.
  if (isConstant[name](found.value)) return { method: findHookField(name) as SectionMetadata[H] };
  return judgeHook(name, found);
}

function judgeHook<H extends Hook>(name: H, found: PropertyDescriptor): HookMember<H> {
  const value: unknown = found.value;
  if (typeof value === 'function') return { method: value as SectionMetadata[H] };
  return { problem: `${name} is ${found.get === undefined ? describeValue(value) : 'a getter'}; a hook is a function` };
}

function findHookField(name: Hook) {
  return function (this: Readonly<Record<Hook, unknown>>): unknown {
    return this[name];
  };
}

/**
 * Adds to the metadata of a section the hooks that only its instance has: fields, such as arrow functions, and the
 * methods of an instance of another class that the container provided. An option of `@Section` wins over all of them.
 *
 * @throws PromptValidationError E314 for a field that cannot be called
 */
export function addInstanceHooks(section: SectionMetadata, instance: object): SectionMetadata {
  const found: { -readonly [H in keyof Pick<SectionMetadata, Hook>]?: SectionMetadata[H] } = {};
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

function readInstanceHook(section: SectionMetadata, instance: object, name: Hook): HookMember {
  const { method } = readHookMember(section.type, name);
  // A hook that is not a method of the class is an option.
  if (section[name] !== method) return {};
  const field = readHookField(instance, name);
  if (field.method !== undefined || field.problem !== undefined) return field;
  const type: unknown = (instance as { readonly constructor?: unknown }).constructor;
  return type === section.type || !isClass(type) ? {} : readHookMember(type, name);
}

function createHookFinding(section: SectionMetadata, member: string, problem: string): Finding {
  const place = memberLabel(section.type, member);
  return createClassFinding('E314', section.type, problem, {
    place,
    member,
    sectionPath: section.path,
    placeholder: member,
  });
}
