import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv4 } from 'node:net';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import { LINGER_MS } from '../../limits.js';
import { ArrivingBody } from './ArrivingBody.js';
import type { HttpBody, HttpInput, StreamWatch } from './HttpInput.js';
import { StreamRoom } from './StreamRoom.js';

/** A request with the fields that middleware adds. */
type Prepared = IncomingMessage & {
  readonly auth?: AuthInfo;
  readonly body?: unknown;
  readonly rawBody?: unknown;
  readonly originalUrl?: string;
};

/** Converts a request of Node's http server, or of a framework on top of it. */
export function toHttpInput(request: Prepared, response: ServerResponse): HttpInput {
  const headers = Object.entries(request.headers).map(([name, value = '']) => [
    name,
    typeof value === 'string' ? value : value.join(', '),
  ]);
  return {
    method: request.method ?? 'GET',
    // Routers cut the part of `url` that they have matched.
    path: (request.originalUrl ?? request.url ?? '/').replace(/\?.*$/s, ''),
    headers: Object.fromEntries(headers) as HttpInput['headers'],
    authInfo: request.auth,
    isLocal: isLoopback(request.socket.localAddress),
    address: request.socket.remoteAddress,
    // Created on demand, because requests of sessions do not use it.
    get signal() {
      return watchLeaving(response);
    },
    // Express sets `{}` if it did not parse the body. The stream has not been read then.
    body: (limit) =>
      request.readableEnded ? Promise.resolve(takeParsedBody(request, limit)) : readBody(request, limit),
  };
}

/** Returns the body that a parser of the host has read: a JSON value, or its bytes or text. */
function takeParsedBody({ body, rawBody }: Prepared, limit: number): HttpBody {
  const given = body ?? rawBody;
  if (given === undefined) return { kind: 'lost' };
  if (typeof given !== 'string' && !(given instanceof Uint8Array)) return { kind: 'parsed', value: given };
  const arriving = new ArrivingBody(limit);
  arriving.add(typeof given === 'string' ? Buffer.from(given) : given);
  return arriving.end();
}

/**
 * Writes a response, in parts if it is a stream. Resolves when the response has ended.
 *
 * @throws McpServerError E695 for a client that does not read its stream
 */
export async function respond(
  request: IncomingMessage,
  target: ServerResponse,
  response: Response,
  watch?: StreamWatch,
): Promise<void> {
  const isCut = response.status === 413;
  target.writeHead(response.status, Object.fromEntries(response.headers));
  // Headers are sent together with the first part if it is ready at once, because each write is a system call.
  const flushing = setImmediate(() => target.flushHeaders());
  const reader = response.body?.getReader();
  const stop = (): void => void reader?.cancel().catch(() => undefined);
  target.once('close', stop);
  try {
    // The transport's queue is unbounded, so everything is written at once and counted here.
    const most = (watch?.maxUnreadBytes ?? Number.POSITIVE_INFINITY) + target.writableHighWaterMark;
    const room = new StreamRoom(() => !target.destroyed && target.writableLength >= most, stop);
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      clearImmediate(flushing);
      room.check();
      target.write(part.value);
    }
    await room.requireReading();
  } finally {
    clearImmediate(flushing);
    watch?.end();
  }
  target.end();
  if (!isCut) return;
  // With `connection: close`, Node would end the connection at once, and the client could fail to write before it reads the answer.
  request.resume();
  setTimeout(() => request.destroy(), LINGER_MS).unref();
}

/** Reads a body up to a limit. Keeps the connection open beyond it, because closing it would lose the answer. */
function readBody(request: IncomingMessage, limit: number): Promise<HttpBody> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve({ kind: 'too large' });
  return new Promise((resolve, reject) => {
    const body = new ArrivingBody(limit);
    const onData = (part: Buffer): void => {
      if (body.add(part)) return;
      request.off('data', onData).pause();
      resolve(body.end());
    };
    request.on('data', onData);
    request.once('end', () => resolve(body.end()));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new Error('The client left before its request was complete.'));
    });
  });
}

/** Returns a signal that aborts when the connection ends before the response. */
function watchLeaving(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort(new Error('The client left.'));
  });
  return leaving.signal;
}

function isLoopback(address: string | undefined): boolean {
  const plain = address?.replace(/^::ffff:/, '') ?? '127.0.0.1';
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}
