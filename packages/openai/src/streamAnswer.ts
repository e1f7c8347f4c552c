/** What a client returned for a request of a stream. */
interface StreamAnswer {
  readonly sent: unknown;
  /** True if the server says that it streams; a wrapper around a client may not say what it says. */
  readonly isStream: boolean;
}

/** Waits for the answer to a request of a stream: the chunks alone do not show if one without any was cut, or is no stream. */
export async function streamAnswer(asked: PromiseLike<unknown>): Promise<StreamAnswer> {
  if (!hasResponse(asked)) return { sent: await asked, isStream: false };
  const { data, response } = await asked.withResponse();
  const type = response?.headers?.get('content-type') ?? '';
  return { sent: data, isStream: type.startsWith('text/event-stream') };
}

/** The promise of the official client, as far as it is used here. */
interface WithResponse {
  withResponse(): Promise<{
    readonly data: unknown;
    readonly response?: { readonly headers?: { get(name: string): string | null } };
  }>;
}

function hasResponse(asked: object): asked is WithResponse {
  return 'withResponse' in asked && typeof asked.withResponse === 'function';
}
