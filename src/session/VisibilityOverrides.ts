import { isRecord } from '../common/guards.js';
import { describeValue, keyText } from '../common/text.js';
import { Field } from '../decorator/Param.js';
import { Reducer } from '../decorator/Reducer.js';
import type { SliceOp } from '../interface/SliceOp.js';
import type { SectionVisibility } from '../value/SectionVisibility.js';
import { SliceOps } from './slice/SliceOps.js';

/** Event that sets the visibility of a section in a session; it takes precedence over the declaration. */
export class SetVisibilityOverride {
  /** @param path keys joined by dots; ignored if the section does not exist */
  constructor(
    readonly path: string,
    readonly visibility: SectionVisibility,
  ) {}
}

/** Event that removes the visibility override of a section in a session. */
export class ClearVisibilityOverride {
  /** @param path keys joined by dots */
  constructor(readonly path: string) {}
}

/** Event that removes all visibility overrides in a session. */
export class ClearAllVisibilityOverrides {}

/**
 * The visibility of sections in a session, which takes precedence over their declarations; set by the host, or when the model
 * opens sections. Every session has this slice; a failed call rolls it back (docs/contract.md, 12).
 *
 * @example
 * session.dispatch(new SetVisibilityOverride('orders.refunds', SectionVisibility.FULL));
 * session.slice(VisibilityOverrides).latest()?.overrides; // { 'orders.refunds': 'full' }
 */
export class VisibilityOverrides {
  @Field({ description: 'By path; paths of no section are ignored', record: String })
  readonly overrides: Readonly<Record<string, SectionVisibility>> = {};

  /** Explains why recorded overrides cannot be applied; returns undefined if they can. */
  static problemOf({ overrides }: { readonly overrides?: unknown }): string | undefined {
    if (!isRecord(overrides)) return `overrides: expected an object, got ${describeValue(overrides)}`;
    const wrong = Object.entries(overrides).find(([, visibility]) => visibility !== 'full' && visibility !== 'summary');
    if (wrong === undefined) return undefined;
    return `overrides.${keyText(wrong[0])}: expected "full" or "summary", got ${describeValue(wrong[1])}`;
  }

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
