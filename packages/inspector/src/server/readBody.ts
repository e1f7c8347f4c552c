import type { IncomingMessage } from 'node:http';
import { isRecord } from 'toolwright/internal/light';
import { MAX_BODY_BYTES } from '../limits.js';
import { InspectorError } from './InspectorError.js';

/** Iterates over the chunks of a body. Stopping early leaves the connection open, so that an answer can say why. */
export function partsOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

/** Reads a JSON body of at most one megabyte. @throws InspectorError 400, 413, 415 */
export async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  if (request.headers['content-type'] !== 'application/json') throw new InspectorError(415, 'expected JSON');
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of partsOf(request)) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw new InspectorError(413, 'the request is larger than a megabyte');
    parts.push(part);
  }
  const value = parseJson(Buffer.concat(parts).toString());
  if (!isRecord(value)) throw new InspectorError(400, 'expected an object');
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InspectorError(400, 'the request is not JSON');
  }
}

/** Returns a text field of a body. @throws InspectorError 400 */
export function textOf(body: Readonly<Record<string, unknown>>, field: string): string {
  const value = body[field];
  if (typeof value !== 'string') throw new InspectorError(400, `expected ${field} as a text`);
  return value;
}
