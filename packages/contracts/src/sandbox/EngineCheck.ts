import type { Sandbox } from '@toolwright/programs';
import { ToolwrightError } from 'toolwright';
import { brand, formatMessage } from 'toolwright/internal/light';

/** A check of one guarantee of an engine. */
export interface EngineCheck {
  readonly name: string;
  /** @throws {EngineCheckError} E654: the engine broke the guarantee. */
  run(this: void, sandbox: Sandbox): Promise<void>;
}

export function defineCheck(name: string, run: EngineCheck['run']): EngineCheck {
  return { name, run };
}

/** Thrown if an engine breaks a guarantee of the port `Sandbox`. */
export class EngineCheckError extends ToolwrightError {
  /**
   * @param what the guarantee
   * @param got the observed value
   */
  constructor(engine: string, what: string, got: unknown) {
    const details = { code: 'E654', place: engine } as const;
    super(formatMessage(`${what}; it gave ${JSON.stringify(got)}`, details), details);
  }
}
brand(EngineCheckError, 'EngineCheckError');
