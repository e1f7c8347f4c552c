import { Field } from '../decorator/Param.js';
import { Reducer } from '../decorator/Reducer.js';
import type { SliceOp } from '../interface/SliceOp.js';
import type { SectionVisibility } from '../value/SectionVisibility.js';
import { SliceOps } from './SliceOps.js';
import { ClearAllVisibilityOverrides, ClearVisibilityOverride, SetVisibilityOverride } from './visibilityEvents.js';

/**
 * The visibility of sections in a session, overriding their declarations: set when the model opens sections, or by the host. A
 * slice that every session has; it is rolled back with a failed call (docs/contract.md, 12).
 *
 * @example
 * session.dispatch(new SetVisibilityOverride('orders.refunds', SectionVisibility.FULL));
 * session.slice(VisibilityOverrides).latest()?.overrides; // { 'orders.refunds': 'full' }
 */
export class VisibilityOverrides {
  @Field({ description: 'By path; paths of no section are ignored', record: String })
  readonly overrides: Readonly<Record<string, SectionVisibility>> = {};

  static of(overrides: Readonly<Record<string, SectionVisibility>>): VisibilityOverrides {
    return Object.assign(new VisibilityOverrides(), { overrides });
  }

  @Reducer(() => SetVisibilityOverride)
  set({ path, visibility }: SetVisibilityOverride): SliceOp<VisibilityOverrides> {
    return SliceOps.replace(VisibilityOverrides.of({ ...this.overrides, [path]: visibility }));
  }

  @Reducer(() => ClearVisibilityOverride)
  clear({ path }: ClearVisibilityOverride): SliceOp<VisibilityOverrides> {
    const others = Object.entries(this.overrides).filter(([other]) => other !== path);
    return SliceOps.replace(VisibilityOverrides.of(Object.fromEntries(others)));
  }

  @Reducer(() => ClearAllVisibilityOverrides)
  clearAll(): SliceOp<VisibilityOverrides> {
    return SliceOps.replace(VisibilityOverrides.of({}));
  }
}
