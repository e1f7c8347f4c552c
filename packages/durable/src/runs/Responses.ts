import type { PromptResponse } from 'toolwright';
import type { RunRecord } from '../records/RunRecords.js';
import { makeScopedKey } from './owners.js';

/** Keeps responses of this process's runs for callers that wait here. All others read them from the log. */
export class Responses {
  readonly #expected = new Map<string, { readers: number; response: PromptResponse | undefined }>();

  /** Starts to wait for a response. */
  expect({ tenant, id }: Pick<RunRecord, 'tenant' | 'id'>): { response(): PromptResponse | undefined; stop(): void } {
    const key = makeScopedKey(tenant, id);
    const expected = this.#expected.get(key) ?? { readers: 0, response: undefined };
    this.#expected.set(key, expected);
    expected.readers++;
    return {
      response: () => expected.response,
      stop: () => {
        expected.readers--;
        if (expected.readers === 0) this.#expected.delete(key);
      },
    };
  }

  keep({ tenant, id }: Pick<RunRecord, 'tenant' | 'id'>, response: PromptResponse): void {
    const expected = this.#expected.get(makeScopedKey(tenant, id));
    if (expected !== undefined) expected.response = response;
  }
}
