import { McpServerError } from './McpServerError.js';

/** Creates the error for an option of `serveMcp` that cannot work. */
export function createOptionError(place: string, problem: string): McpServerError {
  return new McpServerError(problem, { code: 'E691', place: `serveMcp ${place}` });
}
