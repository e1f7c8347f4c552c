import type { Sandbox } from '../Sandbox.js';
import { boundaryChecks } from './boundaryChecks.js';
import type { EngineCheck } from './EngineCheck.js';
import { limitChecks } from './limitChecks.js';
import { valueChecks } from './valueChecks.js';

/** What one check found. */
export interface EngineVerdict {
  readonly name: string;
  /** What the check threw; undefined when the engine kept the promise. */
  readonly fault?: unknown;
}

/** Every promise that an engine has to keep; for a test runner, e.g. `test.each(engineChecks)('$name', ({ run }) => run(sandbox))`. */
export const engineChecks: readonly EngineCheck[] = [...valueChecks, ...boundaryChecks, ...limitChecks];

/**
 * Puts an engine through all checks, one after the other (docs/contract.md, 23).
 *
 * @param makeSandbox called for each check; the engine that it gives is closed afterwards
 * @example
 * const verdicts = await engineConformance(() => new MySandbox());
 * const broken = verdicts.filter(({ fault }) => fault !== undefined);
 */
export async function engineConformance(makeSandbox: () => Sandbox): Promise<readonly EngineVerdict[]> {
  const verdicts: EngineVerdict[] = [];
  for (const { name, run } of engineChecks) {
    const sandbox = makeSandbox();
    try {
      await run(sandbox);
      verdicts.push({ name });
    } catch (fault) {
      verdicts.push({ name, fault });
    } finally {
      await sandbox.close();
    }
  }
  return verdicts;
}
