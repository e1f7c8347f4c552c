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
