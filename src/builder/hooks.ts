import { classChain } from '../common/classes.js';
import { describeValue } from '../common/text.js';
import type { Constructor } from '../common/types.js';
import { isVisibility } from '../value/SectionVisibility.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';

/** What a section may answer at each rendering: by an option, by a method, or by a field that holds a function. */
export const hooks = ['enabled', 'visibility', 'renderBody'] as const satisfies readonly (keyof SectionMetadata)[];

/** The name of a hook. */
export type Hook = (typeof hooks)[number];

/** What a field may hold in place of a function: what the option may, too. */
const isConstant: Readonly<Record<Hook, (value: unknown) => boolean>> = {
  enabled: (value) => typeof value === 'boolean',
  visibility: isVisibility,
  renderBody: () => false,
};

/** A hook that was found, or why what stands in its place is none; neither when nothing stands there. */
export interface HookMember<H extends Hook = Hook> {
  readonly method?: SectionMetadata[H];
  readonly problem?: string;
}

/** What a class says under a hook's name. A getter is not run: it would answer once, and without what hooks are told. */
export function hookMember<H extends Hook>(type: Constructor, name: H): HookMember<H> {
  for (const owner of classChain(type)) {
    const found = Object.getOwnPropertyDescriptor(owner.prototype as object, name);
    if (found !== undefined) return judged(name, found);
  }
  return {};
}

/** What an instance says under a hook's name by a field of its own, such as an arrow function. */
export function hookField<H extends Hook>(instance: object, name: H): HookMember<H> {
  const found = Object.getOwnPropertyDescriptor(instance, name);
  if (found === undefined) return {};
  // A field may change while the application runs, so it is asked for each time, as a method would be.
  if (isConstant[name](found.value)) return { method: fieldOf(name) as SectionMetadata[H] };
  return judged(name, found);
}

function judged<H extends Hook>(name: H, found: PropertyDescriptor): HookMember<H> {
  const value: unknown = found.value;
  if (typeof value === 'function') return { method: value as SectionMetadata[H] };
  return { problem: `${name} is ${found.get === undefined ? describeValue(value) : 'a getter'}; a hook is a function` };
}

function fieldOf(name: Hook) {
  return function (this: Readonly<Record<Hook, unknown>>): unknown {
    return this[name];
  };
}
