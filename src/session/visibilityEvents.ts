import type { SectionVisibility } from '../value/SectionVisibility.js';

/** Dispatched to a session, it has a section shown so in this session, before anything else that is said of it. */
export class SetVisibilityOverride {
  /** @param path keys joined by dots; a path of no section is ignored */
  constructor(
    readonly path: string,
    readonly visibility: SectionVisibility,
  ) {}
}

/** Dispatched to a session, it leaves a section to its declaration again. */
export class ClearVisibilityOverride {
  /** @param path keys joined by dots */
  constructor(readonly path: string) {}
}

/** Dispatched to a session, it leaves every section to its declaration again. */
export class ClearAllVisibilityOverrides {}
