/** Options that decide how strict a parser is. */
export interface ParseOptions {
  /** Treatment of undeclared keys: refused (`forbid`, the default), or dropped. */
  readonly extra?: 'forbid' | 'ignore' | undefined;
  /** Accepts lossless conversions: numeric strings, `"true"`, a scalar for a one-item array. Off by default. */
  readonly coerce?: boolean | undefined;
}
