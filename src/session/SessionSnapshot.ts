import { brand } from '../common/brand.js';

/**
 * The contents of a session's slices at one moment: opaque and immutable. Created by `session.snapshot()`, and restored by
 * `restore` of that session or its clones (docs/contract.md, 8).
 */
export class SessionSnapshot {
  readonly kind = 'SessionSnapshot';
  /** The id of the session that the snapshot was taken of. */
  readonly sessionId: string;
  /** True if it also contains LOG slices. */
  readonly logs: boolean;

  /** The sessions that may restore a snapshot keep its contents; one that is constructed directly has none. */
  constructor(sessionId: string, logs: boolean) {
    this.sessionId = sessionId;
    this.logs = logs;
    Object.freeze(this);
  }
}
brand(SessionSnapshot, 'SessionSnapshot');
