/**
 * Yields the texts of a stream. If it fails, the last text tells the client so, which would take a bare end for success; the error then
 * goes on to the server of the host, which reports it.
 *
 * @param text does not name the cause
 * @param signal of a client that has left, to whom nothing is told
 * @throws the error of the stream, unchanged
 */
export async function* endWithError(
  texts: AsyncGenerator<string, void>,
  { text, signal }: { readonly text: string; readonly signal: AbortSignal },
): AsyncGenerator<string, void> {
  try {
    yield* texts;
  } catch (error) {
    if (!signal.aborted) yield text;
    throw error;
  }
}
