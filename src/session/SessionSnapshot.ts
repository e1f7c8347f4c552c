import { brand } from '../common/brand.js';

/**
 * The contents of a session's slices at one moment: opaque and immutable. Taken by `session.snapshot()`, restored by `restore`
 * of that session or of its clones (docs/contract.md, 8).
 */
export class SessionSnapshot {
  readonly kind = 'SessionSnapshot';
  /** The id of the session that it was taken of. */
  readonly sessionId: string;
  /** True if it contains LOG slices as well. */
  readonly logs: boolean;

  /** The contents are kept by the sessions that may restore it; a snapshot constructed directly has none. */
  constructor(sessionId: string, logs: boolean) {
    this.sessionId = sessionId;
    this.logs = logs;
    Object.freeze(this);
  }
}
brand(SessionSnapshot, 'SessionSnapshot');
