import type { Sandbox } from '@toolwright/programs';
import { boundaryChecks } from './boundaryChecks.js';
import type { EngineCheck } from './EngineCheck.js';
import { limitChecks } from './limitChecks.js';
import { valueChecks } from './valueChecks.js';

/** The result of one check. */
export interface EngineVerdict {
  readonly name: string;
  /** The error that the check threw; undefined if it passed. */
  readonly fault?: unknown;
}

/** All checks of an engine; in a test runner: `test.each(engineChecks)('$name', ({ run }) => run(sandbox))`. */
export const engineChecks: readonly EngineCheck[] = [...valueChecks, ...boundaryChecks, ...limitChecks];

/**
 * Runs all checks against an engine, one after the other (docs/contract.md, 25).
 *
 * @param makeSandbox called for each check; the returned engine is closed afterwards
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
