import { evalRemedies } from 'toolwright/internal';
import { brand, formatMessage, ToolwrightError } from 'toolwright/internal/light';

/** Details of an `EvalError` besides its problem. */
export interface EvalErrorDetails {
  readonly code: keyof typeof evalRemedies;
  /** The file with the line, the task, the scorer or the gate. */
  readonly place?: string | undefined;
  readonly remedy?: string | undefined;
  readonly cause?: unknown;
}

/** Tasks, results, gates or scorers are wrong. Faults of a prompt under test are in its results, and not thrown. */
export class EvalError extends ToolwrightError {
  constructor(problem: string, { code, place, cause, remedy = evalRemedies[code] }: EvalErrorDetails) {
    super(formatMessage(problem, { code, place, remedy }), { code, place, remedy, cause });
  }
}
brand(EvalError, 'EvalError');
