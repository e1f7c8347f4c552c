/**
 * A resource that supports rollback by overlays of its own kind.
 * A call works on the overlay returned by `begin()`; success passes the overlay to `commit`, failure drops it.
 * A savepoint is `begin()` on the overlay, and `commit` into it. Ready-made: docs/state.md. Implements docs/contract.md, 7.
 */
export interface Transactional<V> {
  /** Returns an overlay that reads through to this resource and keeps writes to itself. */
  begin(): V;
  /** Applies the writes of the overlay. */
  commit(overlay: V): void;
  /** True if something that the overlay read or wrote has since been changed here. */
  conflicts?(overlay: V): boolean;
  /** True if the overlay holds writes. Called for read-only tools, whose overlays are dropped in any case. */
  changed?(overlay: V): boolean;
}
