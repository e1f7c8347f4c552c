import { ToolwrightError } from '../../error/ToolwrightError.js';

/** What the conventions call an error that has no name. */
export const OTHER = '_OTHER';

/** The value of `error.type`: the code of an error of ours, the name of any other. Never its words. */
export function errorType(error: unknown): string {
  if (ToolwrightError.is(error)) return error.code;
  if (!(error instanceof Error)) return OTHER;
  const { name } = error;
  return /^[A-Za-z_$][\w$]{0,79}$/.test(name) ? name : OTHER;
}
