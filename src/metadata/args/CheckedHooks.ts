import type { Awaitable } from '../../common/types.js';
import type { HookInput } from './SectionMetadataArgs.js';
import type { SectionVisibility } from '../../value/SectionVisibility.js';

// A section without a params class uses the class of its parent, which its hooks may name.
type InputOf<P> = HookInput<unknown extends P ? never : P>;

type FunctionFault<Member, P, Answer, Wrong> = Member extends (input: infer Input) => infer Given
  ? InputOf<P> extends Input
    ? Given extends Awaitable<Answer>
      ? never
      : Wrong
    : 'a hook takes { params, session }, with the params of the section'
  : 'a hook is a function';

type EnabledFault<Instance, P> = Instance extends { enabled: infer Member }
  ? Member extends boolean
    ? never
    : FunctionFault<Member, P, boolean, 'enabled returns true or false'>
  : never;

type VisibilityFault<Instance, P> = Instance extends { visibility: infer Member }
  ? Member extends SectionVisibility
    ? never
    : FunctionFault<Member, P, SectionVisibility, "visibility returns 'full' or 'summary'">
  : never;

type RenderBodyFault<Instance, P> = Instance extends { renderBody: infer Member }
  ? FunctionFault<Member, P, string, 'renderBody returns a text'>
  : never;

type HookFault<Instance, P> = EnabledFault<Instance, P> | VisibilityFault<Instance, P> | RenderBodyFault<Instance, P>;

/** `unknown` for a class with callable hooks; otherwise a type named after the fault, which no class has. */
export type CheckedHooks<Instance, P> = [HookFault<Instance, P>] extends [never]
  ? unknown
  : { readonly 'hook does not fit its @Section': HookFault<Instance, P> };
