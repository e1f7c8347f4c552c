import type { ResourceChanges } from '../../resource/Overlays.js';
import type { SliceKey } from '../../session/slice/SliceStore.js';
import type { ChangedTable } from '../../session/table/TableOverlays.js';

/** A slice that a call would change. */
export interface ChangedSlice {
  readonly key: SliceKey;
  /** The values, oldest first. */
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/** What the outermost call of a rehearsal would change; empty until it has succeeded. */
export interface RehearsalRecord {
  slices: readonly ChangedSlice[];
  /** The tables of the session that the call used. */
  tables?: readonly ChangedTable[];
  resources: readonly ResourceChanges[];
}
