import { ToolwrightError } from 'toolwright';
import { brand, hasBrand, report } from 'toolwright/internal/light';

/** Thrown if an engine breaks a guarantee of the port `Sandbox`. */
export class EngineCheckError extends ToolwrightError {
  /** @param what the guarantee. @param got the observed value */
  constructor(engine: string, what: string, got: unknown) {
    const details = { code: 'E654', place: engine } as const;
    super(report(`${what}; it gave ${JSON.stringify(got)}`, details), details);
  }

  static override is(this: void, value: unknown): value is EngineCheckError {
    return hasBrand(value, 'EngineCheckError');
  }
}
brand(EngineCheckError, 'EngineCheckError');
