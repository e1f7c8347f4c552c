import { KEEP_ALIVE_MS } from '../limits.js';

/**
 * Sends texts as server-sent events, each when the client asks for more: a client that does not read holds one text.
 *
 * @param texts JSON texts, which have no line breaks
 * @param headers further headers of the response
 * @param leave called when the client has disconnected; the generator then ends
 */
export function streamEvents(
  texts: AsyncGenerator<string, void>,
  headers: Readonly<Record<string, string>>,
  leave: () => void,
): Response {
  const encoder = new TextEncoder();
  let isWaiting = false;
  let timer: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const keepAlive = (): void => {
          if (isWaiting) controller.enqueue(encoder.encode(': waiting\n\n'));
        };
        timer = setInterval(keepAlive, KEEP_ALIVE_MS).unref();
      },
      async pull(controller) {
        isWaiting = true;
        const { done, value } = await texts.next().finally(() => {
          isWaiting = false;
        });
        if (done !== true) controller.enqueue(encoder.encode(`data: ${value}\n\n`));
        else {
          clearInterval(timer);
          controller.close();
        }
      },
      async cancel() {
        clearInterval(timer);
        leave();
        // Its pending `next` was ended by `leave`, with a rejection that has no reader.
        await texts.return().catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
  const own = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  };
  return new Response(body, { headers: { ...own, ...headers } });
}
