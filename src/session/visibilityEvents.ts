import type { SectionVisibility } from '../value/SectionVisibility.js';

/** Event that sets the visibility of a section in a session, with precedence over its declaration. */
export class SetVisibilityOverride {
  /** @param path keys joined by dots; ignored if there is no such section */
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
