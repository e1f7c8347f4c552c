import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv4 } from 'node:net';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { HttpBody, HttpInput } from './HttpInput.js';

/** A request with the fields that middleware adds. */
type Prepared = IncomingMessage & { readonly auth?: AuthInfo; readonly body?: unknown };

/** Milliseconds that a client has to read the refusal of a large request, before its connection is closed. */
const LINGER_MS = 1_000;

/** Converts a request of Node's http server, or of a framework on top of it. */
export function inputOf(request: Prepared): HttpInput {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  return {
    method: request.method ?? 'GET',
    headers,
    authInfo: request.auth,
    isLocal: isLoopback(request.socket.localAddress),
    // Express leaves `{}` where it did not parse; then the stream has not been read.
    body: (limit) =>
      request.readableEnded ? Promise.resolve({ kind: 'parsed', value: request.body }) : readBody(request, limit),
  };
}

/** Writes a response, in parts if it is a stream; resolves when it has ended. */
export async function respond(request: IncomingMessage, target: ServerResponse, response: Response): Promise<void> {
  const isCut = response.status === 413;
  if (isCut) target.setHeader('connection', 'close');
  target.writeHead(response.status, Object.fromEntries(response.headers));
  target.flushHeaders();
  const reader = response.body?.getReader();
  target.once('close', () => {
    void reader?.cancel().catch(() => undefined);
  });
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    if (!target.write(part.value)) await drained(target);
  }
  target.end();
  if (!isCut) return;
  request.resume();
  setTimeout(() => request.destroy(), LINGER_MS).unref();
}

function drained(target: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    target.once('drain', resolve).once('close', resolve);
  });
}

/** Stops reading at the limit, but keeps the connection open: closing it would lose the answer. */
function readBody(request: IncomingMessage, limit: number): Promise<HttpBody> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve({ kind: 'too large' });
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const onData = (part: Buffer): void => {
      size += part.length;
      if (size <= limit) {
        parts.push(part);
        return;
      }
      request.off('data', onData).pause();
      resolve({ kind: 'too large' });
    };
    request.on('data', onData);
    request.once('end', () => resolve({ kind: 'text', text: Buffer.concat(parts).toString('utf8') }));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The client left before its request was complete.')));
  });
}

function isLoopback(address: string | undefined): boolean {
  const plain = address?.replace(/^::ffff:/, '') ?? '127.0.0.1';
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}
