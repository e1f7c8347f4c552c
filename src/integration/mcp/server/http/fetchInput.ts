import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { HttpBody, HttpInput } from './HttpInput.js';

/** Converts a web standard request. Its local address is unknown, so the stricter rules apply. */
export function fetchInput(request: Request, authInfo: AuthInfo | undefined): HttpInput {
  const headers = new Headers(request.headers);
  if (!headers.has('host')) headers.set('host', new URL(request.url).host);
  return { method: request.method, headers, authInfo, isLocal: true, body: (limit) => readBody(request, limit) };
}

async function readBody(request: Request, limit: number): Promise<HttpBody> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const stream: ReadableStream<Uint8Array> | null = request.body;
  const reader = stream?.getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > limit) {
      await reader?.cancel();
      return { kind: 'too large' };
    }
    parts.push(part.value);
  }
  return { kind: 'text', text: Buffer.concat(parts).toString('utf8') };
}
