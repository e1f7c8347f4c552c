import { CheckThread } from './CheckThread.js';
import type { ProgramCheck } from './ProgramCheck.js';
import { ProgramChecker, type CheckOptions } from './ProgramChecker.js';

/** One thread for the whole process, since it costs memory and a check takes milliseconds. */
const shared = new ProgramChecker(new CheckThread());

/**
 * Reads and checks a program before anything of it runs (docs/contract.md, 24). This happens in a worker thread, so that no
 * source can block the host. A program whose type check takes too long runs unchecked; the sandbox still limits it.
 *
 * @param source as the model wrote it
 * @returns the prepared program, or the fault for which it is refused
 * @throws ProgramError E663 if acorn or sucrase is not installed, E664 if the thread does not start
 */
export function checkProgram(source: string, options: CheckOptions = {}): Promise<ProgramCheck> {
  return shared.check(source, options);
}
