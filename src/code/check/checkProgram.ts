import { CheckThread } from './CheckThread.js';
import type { ProgramCheck } from './ProgramCheck.js';
import { ProgramChecker, type CheckOptions } from './ProgramChecker.js';

/** One thread for the whole process: it costs memory, and a check takes milliseconds. */
const shared = new ProgramChecker(new CheckThread());

/**
 * Reads and checks a program before anything of it runs (docs/contract.md, 22). All of it happens
 * in a thread of its own, so that no text can stop the host. A program whose types take too long is let through: what refuses
 * it then is the sandbox.
 *
 * @param source as the model wrote it
 * @returns the program as an engine runs it, or the fault for which nothing of it runs
 * @throws ProgramError E663 when acorn or sucrase is not installed, E664 when the thread does not start
 */
export function checkProgram(source: string, options: CheckOptions = {}): Promise<ProgramCheck> {
  return shared.check(source, options);
}
