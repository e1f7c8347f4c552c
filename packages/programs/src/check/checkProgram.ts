import { CheckPool } from './CheckPool.js';
import type { ProgramCheck } from './ProgramCheck.js';
import { ProgramChecker, type CheckOptions } from './ProgramChecker.js';

/** One pool for the whole process, since its threads cost memory and a check takes milliseconds. */
const shared = new ProgramChecker(new CheckPool());

/**
 * Reads and checks a program before anything of it runs (docs/contract.md, 24). This happens in worker threads, so that no
 * source can block the host. A program whose check takes too long is refused (E665).
 *
 * @param source as the model wrote it
 * @returns the prepared program, or the fault for which it is refused
 * @throws ProgramError E663 if acorn or sucrase is not installed, E664 if a thread does not start
 */
export function checkProgram(source: string, options: CheckOptions = {}): Promise<ProgramCheck> {
  return shared.check(source, options);
}
