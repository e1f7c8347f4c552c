import { ToolwrightError } from 'toolwright';

/** The value of the conventions for an error without a name. */
export const OTHER = '_OTHER';

/** Returns the value of `error.type`: the code of an error of Toolwright, the name of any other. Never its message. */
export function errorType(error: unknown): string {
  if (ToolwrightError.is(error)) return error.code;
  if (!(error instanceof Error)) return OTHER;
  const { name } = error;
  return /^[A-Za-z_$][\w$]{0,79}$/.test(name) ? name : OTHER;
}
