/**
 * A resource that can be rolled back: it brings overlays of its own kind.
 * A call works on `begin()`; success hands the overlay to `commit`, failure drops it.
 * A savepoint is `begin()` on the overlay. Implements docs/contract.md, 7.
 */
export interface Transactional<V> {
  /** An overlay that reads through to this one and keeps writes to itself. */
  begin(): V;
  /** Takes in what the overlay wrote. */
  commit(overlay: V): void;
  /** True when something that the overlay read or wrote has been changed here meanwhile. */
  conflicts?(overlay: V): boolean;
  /** True when the overlay holds writes. Asked of read-only tools, whose overlays are dropped in any case. */
  changed?(overlay: V): boolean;
}
