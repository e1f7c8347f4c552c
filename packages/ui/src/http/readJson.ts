import { HttpProblem } from './HttpProblem.js';

/**
 * Reads the body of a request, and stops as soon as it is too large.
 *
 * @param maxBytes the most that is read
 * @throws HttpProblem 415 for another content type than JSON, which a form of another site cannot send; 413; 400
 */
export async function readJson(request: Request, maxBytes: number): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new HttpProblem(415, 'Send a body of the content type application/json.');
  const tooLarge = new HttpProblem(413, `The body is too large: ${String(maxBytes)} bytes are accepted.`);
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw tooLarge;
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString('utf8');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new HttpProblem(400, 'The body is not valid JSON.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new HttpProblem(400, 'The body has to be a JSON object.');
  return body as Readonly<Record<string, unknown>>;
}
