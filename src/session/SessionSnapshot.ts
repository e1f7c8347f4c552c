import { brand, hasBrand } from '../common/brand.js';

/**
 * What the slices of a session held at one moment: opaque and immutable. `session.snapshot()` takes it, `restore` of that
 * session or of its clones puts it back (docs/contract.md, 8).
 */
export class SessionSnapshot {
  readonly kind = 'SessionSnapshot';
  /** The session that it was taken of. */
  readonly sessionId: string;
  /** Whether it holds LOG slices as well. */
  readonly logs: boolean;

  /** What it holds is known to the sessions that may restore it; one made by hand holds nothing. */
  constructor(sessionId: string, logs: boolean) {
    this.sessionId = sessionId;
    this.logs = logs;
    Object.freeze(this);
  }

  /** True for a snapshot of any copy of the package. */
  static is(this: void, value: unknown): value is SessionSnapshot {
    return hasBrand(value, 'SessionSnapshot');
  }
}
brand(SessionSnapshot, 'SessionSnapshot');
