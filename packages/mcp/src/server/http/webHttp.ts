import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import { ArrivingBody } from './ArrivingBody.js';
import type { HttpBody, HttpInput, StreamWatch } from './HttpInput.js';
import { StreamRoom } from './StreamRoom.js';

/** Converts a web standard request. The local address is unknown, so the stricter rules apply. */
export function toFetchInput(request: Request, authInfo: AuthInfo | undefined): HttpInput {
  const { host, pathname } = new URL(request.url);
  const headers = { host, ...Object.fromEntries(request.headers) };
  return {
    method: request.method,
    path: pathname,
    headers,
    authInfo,
    isLocal: true,
    address: undefined,
    signal: request.signal,
    body: (limit) => readBody(request, limit),
  };
}

async function readBody(request: Request, limit: number): Promise<HttpBody> {
  const body = new ArrivingBody(limit);
  const stream: ReadableStream<Uint8Array> | null = request.body;
  const reader = stream?.getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    if (body.add(part.value)) continue;
    await reader?.cancel();
    break;
  }
  return body.end();
}

/** Returns the response with a stream that ends the watch, and that fails with E695 if its client does not read it. */
export function watchResponse(response: Response, watch: StreamWatch | undefined): Response {
  const { body, status, headers } = response;
  return watch === undefined || body === null ? response : new Response(watchStream(body, watch), { status, headers });
}

function watchStream(
  body: ReadableStream<Uint8Array>,
  { maxUnreadBytes, end }: StreamWatch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let isCancelled = false;
  const pass = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    // The transport's queue is unbounded, so waiting bytes are counted here.
    const room = new StreamRoom(
      () => !isCancelled && (controller.desiredSize ?? 0) <= 0,
      () => void reader.cancel().catch(() => undefined),
    );
    for (let part = await reader.read(); !part.done && !isCancelled; part = await reader.read()) {
      room.check();
      controller.enqueue(part.value);
    }
    await room.requireReading();
    if (!isCancelled) controller.close();
    end();
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        void pass(controller).catch(async (error: unknown) => {
          end();
          controller.error(error);
          await reader.cancel(error).catch(() => undefined);
        });
      },
      cancel: async (reason) => {
        isCancelled = true;
        end();
        await reader.cancel(reason);
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxUnreadBytes }),
  );
}
