/** What of a model's arguments was not as the schema says, and has one meaning only (docs/failures.md). */
export type RepairKind =
  'code-fence' | 'trailing-comma' | 'double-encoding' | 'single-value' | 'number-text' | 'boolean-text';

/** One repair of the arguments of a call: what was wrong, and where. */
export interface ArgumentRepair {
  /** Path of the value, in the names that the model uses: `items[3].qty`; empty for the arguments as a whole. */
  readonly path: string;
  readonly kind: RepairKind;
}

/** What happens to arguments that a model wrote almost right: they are refused, repaired, or refused with the right ones. */
export type RepairMode = 'off' | 'on' | 'report';
