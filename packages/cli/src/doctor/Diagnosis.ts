/** What one check of the doctor found. */
export interface Diagnosis {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** What to do; undefined if it is well. */
  readonly remedy?: string | undefined;
}

/** A diagnosis that all is well. */
export function well(name: string, message: string): Diagnosis {
  return { name, status: 'ok', message };
}
