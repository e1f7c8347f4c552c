import { request, type IncomingHttpHeaders } from 'node:http';
import type { ServedInspector } from '@toolwright/inspector';

/** JSON of any form: what a test compares says what it has to be. */
export type Answer = Record<string, unknown>;

/** What a server said. */
export interface Said {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends any request: `fetch` would not send another `Host`. */
export function send(
  { url }: ServedInspector,
  path: string,
  { method = 'GET', headers = {}, body }: Sending = {},
): Promise<Said> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The header that the page sends. */
export function authorization({ url }: ServedInspector): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? ''}` };
}

/** Asks as the page does. */
export async function ask(inspector: ServedInspector, path: string): Promise<Answer> {
  const { text } = await send(inspector, `/api/${path}`, { headers: authorization(inspector) });
  return JSON.parse(text) as Answer;
}

/** Sends JSON as the page does. */
export async function tell(inspector: ServedInspector, path: string, body: object): Promise<Answer> {
  const headers = { ...authorization(inspector), 'content-type': 'application/json' };
  const { status, text } = await send(inspector, `/api/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status, ...(JSON.parse(text) as object) };
}

/** Reads the rows of a source as they are now. */
export async function rowsOf(inspector: ServedInspector, source: string): Promise<readonly Answer[]> {
  const controller = new AbortController();
  const { origin } = new URL(inspector.url);
  const response = await fetch(`${origin}/api/rows?source=${source}`, {
    headers: authorization(inspector),
    signal: controller.signal,
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    if (text.includes('event: ready')) break;
  }
  controller.abort();
  const parts = [...text.matchAll(/^event: rows\ndata: (.*)$/gm)];
  return parts.flatMap(([, data = '[]']) => JSON.parse(data) as readonly Answer[]);
}
