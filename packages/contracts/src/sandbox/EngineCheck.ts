import type { Sandbox } from '@toolwright/programs';

/** A check of one guarantee of an engine. */
export interface EngineCheck {
  readonly name: string;
  /** @throws {EngineCheckError} E654: the engine broke the guarantee. */
  run(this: void, sandbox: Sandbox): Promise<void>;
}

export function check(name: string, run: EngineCheck['run']): EngineCheck {
  return { name, run };
}
