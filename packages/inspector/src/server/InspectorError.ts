import { ToolwrightError } from 'toolwright';

/** An error of the inspector, with the HTTP status that the page gets. */
export class InspectorError extends ToolwrightError {
  readonly status: number;

  /**
   * @param problem one sentence, shown by the page
   * @param place the place of the error, such as the name of a tool
   */
  constructor(status: number, problem: string, place?: string, remedy?: string) {
    super(problem, { code: 'E753', place, remedy });
    this.status = status;
  }
}

/** Runs work of the application and turns its errors into ones that the page shows. @throws InspectorError 422 */
export async function convertErrors<T>(work: (() => Promise<T>) | Promise<T>): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (error instanceof ToolwrightError) throw error;
    throw new InspectorError(422, error instanceof Error ? error.message : 'it failed without a reason');
  }
}
