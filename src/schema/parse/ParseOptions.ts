/** Options of a parser: its strictness. */
export interface ParseOptions {
  /** Handling of keys that no field declares: refused (`forbid`, the default), or dropped. */
  readonly extra?: 'forbid' | 'ignore' | undefined;
  /** Takes lossless conversions: numeric strings, `"true"`, a scalar for a one-item array. Off by default. */
  readonly coerce?: boolean | undefined;
}
