import type { Sandbox } from '../Sandbox.js';

/** One promise of an engine, as a program that tries it. */
export interface EngineCheck {
  readonly name: string;
  /** @throws {EngineCheckError} E654: the engine broke the promise. */
  run(this: void, sandbox: Sandbox): Promise<void>;
}

export function check(name: string, run: EngineCheck['run']): EngineCheck {
  return { name, run };
}
