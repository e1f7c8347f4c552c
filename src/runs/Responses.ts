import type { PromptResponse } from '../evaluate/RunOptions.js';

/** Responses of runs of this process, for those who wait for them here: others read them from the log. */
export class Responses {
  readonly #expected = new Map<string, { readers: number; response: PromptResponse | undefined }>();

  /** Begins to wait for a response. */
  expect(run: string): { response(): PromptResponse | undefined; stop(): void } {
    const expected = this.#expected.get(run) ?? { readers: 0, response: undefined };
    this.#expected.set(run, expected);
    expected.readers++;
    return {
      response: () => expected.response,
      stop: () => {
        expected.readers--;
        if (expected.readers === 0) this.#expected.delete(run);
      },
    };
  }

  keep(run: string, response: PromptResponse): void {
    const expected = this.#expected.get(run);
    if (expected !== undefined) expected.response = response;
  }
}
