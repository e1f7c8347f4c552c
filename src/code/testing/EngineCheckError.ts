import { brand, hasBrand } from '../../common/brand.js';
import { report, ToolwrightError } from '../../error/ToolwrightError.js';

/** An engine broke one of the promises of the port `Sandbox`. */
export class EngineCheckError extends ToolwrightError {
  /** @param what the promise. @param got what the engine did instead */
  constructor(engine: string, what: string, got: unknown) {
    const details = { code: 'E654', place: engine } as const;
    super(report(`${what}; it gave ${JSON.stringify(got)}`, details), details);
  }

  static override is(this: void, value: unknown): value is EngineCheckError {
    return hasBrand(value, 'EngineCheckError');
  }
}
brand(EngineCheckError, 'EngineCheckError');
