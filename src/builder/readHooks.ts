import { classChain } from '../common/classes.js';
import { describeValue } from '../common/text.js';
import type { Constructor } from '../common/types.js';
import { isVisibility } from '../value/SectionVisibility.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';

/** The hooks of a section, called at each rendering: options, methods, or fields that hold a function. */
export const hooks = ['enabled', 'visibility', 'renderBody'] as const satisfies readonly (keyof SectionMetadata)[];

/** The name of a hook. */
export type Hook = (typeof hooks)[number];

/** The constants that a field may hold instead of a function, as in the option. */
const isConstant: Readonly<Record<Hook, (value: unknown) => boolean>> = {
  enabled: (value) => typeof value === 'boolean',
  visibility: isVisibility,
  renderBody: () => false,
};

/** A hook, or the fault of the member that has its name. Empty if there is no such member. */
export interface HookMember<H extends Hook = Hook> {
  readonly method?: SectionMetadata[H];
  readonly problem?: string;
}

/**
 * Reads the member of a class that has a hook's name. A getter is not run: it would be read once, without the arguments
 * of hooks.
 */
export function readHookMember<H extends Hook>(type: Constructor, name: H): HookMember<H> {
  for (const owner of classChain(type)) {
    const found = Object.getOwnPropertyDescriptor(owner.prototype as object, name);
    if (found !== undefined) return judgeHook(name, found);
  }
  return {};
}

/** Reads the field of an instance that has a hook's name, such as an arrow function. */
export function readHookField<H extends Hook>(instance: object, name: H): HookMember<H> {
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
