/** The reply of a client to a streaming request. */
interface StreamAnswer {
  readonly sent: unknown;
  /** True if the server declares a stream; a wrapper around a client may not pass the header on. */
  readonly isStream: boolean;
}

/** Waits for the reply to a streaming request. Without its headers, an empty stream could not be told from one that was cut. */
export async function streamAnswer(asked: PromiseLike<unknown>): Promise<StreamAnswer> {
  if (!hasResponse(asked)) return { sent: await asked, isStream: false };
  const { data, response } = await asked.withResponse();
  const type = response?.headers?.get('content-type') ?? '';
  return { sent: data, isStream: type.startsWith('text/event-stream') };
}

/** The members of the official client's promise that are used here. */
interface WithResponse {
  withResponse(): Promise<{
    readonly data: unknown;
    readonly response?: { readonly headers?: { get(name: string): string | null } };
  }>;
}

function hasResponse(asked: object): asked is WithResponse {
  return 'withResponse' in asked && typeof asked.withResponse === 'function';
}
