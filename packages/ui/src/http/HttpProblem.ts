/** A request that is refused: its status, and a text that the client may show to its user. */
export class HttpProblem extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param message a sentence for the user of the client
   * @param headers of the response, e.g. `retry-after`
   */
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'HttpProblem';
    this.status = status;
    this.headers = headers;
  }

  /** Clients show the body of such a response as it is, so that it is a text. */
  toResponse(): Response {
    const headers = { 'content-type': 'text/plain; charset=utf-8', ...this.headers };
    return new Response(this.message, { status: this.status, headers });
  }
}
