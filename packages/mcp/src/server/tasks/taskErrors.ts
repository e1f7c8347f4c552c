import { McpServerError } from '../McpServerError.js';

/** The store of the tasks holds a run that is not one of a task. */
export function createForeignRunError(run: string): McpServerError {
  return new McpServerError(`the run ${JSON.stringify(run)} is not a run of a task`, {
    code: 'E931',
    place: 'serveMcp tasks',
  });
}

/** The runs of a task are incomplete in the store. */
export function createMissingCallError(task: string): McpServerError {
  return new McpServerError(`the first run of the task ${JSON.stringify(task)} is not in the store`, {
    code: 'E931',
    place: 'serveMcp tasks',
  });
}
