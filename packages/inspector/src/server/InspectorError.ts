import { ToolwrightError } from 'toolwright';

/** What the inspector cannot do, with the HTTP status that says so to the page. */
export class InspectorError extends ToolwrightError {
  readonly status: number;

  /**
   * @param problem one sentence, which the page shows
   * @param place what it is about, such as the name of a tool
   */
  constructor(status: number, problem: string, place?: string, remedy?: string) {
    super(problem, { code: 'E753', place, remedy });
    this.status = status;
  }
}

/** Runs a request of the page. Reports other errors than our own as one that the page shows. @throws InspectorError 422 */
export async function convertErrors<T>(work: (() => Promise<T>) | Promise<T>): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (error instanceof ToolwrightError) throw error;
    throw new InspectorError(422, error instanceof Error ? error.message : 'it failed with no reason');
  }
}
