/** The token from the address. It is removed from the address bar and kept only for this tab. */
const token = readToken();

function readToken(): string {
  const params = new URLSearchParams(location.hash.slice(1));
  const given = params.get('token');
  if (given === null) return sessionStorage.getItem('toolwright-token') ?? '';
  sessionStorage.setItem('toolwright-token', given);
  params.delete('token');
  history.replaceState(null, '', `#${params.toString()}`);
  return given;
}

/** An error that the server answered with. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly remedy?: string,
  ) {
    super(message);
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;

function buildUrl(path: string, query: Query): string {
  const params = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  return `api/${path}?${new URLSearchParams(params).toString()}`;
}

async function requireOk(response: Response): Promise<Response> {
  if (response.ok) return response;
  const { problem = response.statusText, remedy } = (await response.json().catch(() => ({}))) as {
    readonly problem?: string;
    readonly remedy?: string;
  };
  throw new ApiError(response.status, problem, remedy);
}

/** Gets data from the server. @throws ApiError */
export async function get<T>(path: string, query: Query = {}): Promise<T> {
  const headers = { authorization: `Bearer ${token}` };
  return (await (await requireOk(await fetch(buildUrl(path, query), { headers }))).json()) as T;
}

/** Posts a JSON body. @throws ApiError */
export async function post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body), ...(signal === undefined ? {} : { signal }) };
  return (await (await requireOk(await fetch(buildUrl(path, {}), init))).json()) as T;
}

/** Uploads a bundle. @throws ApiError */
export async function upload(file: File): Promise<{ readonly id: string }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
  const response = await fetch(buildUrl('bundle', { name: file.name }), { method: 'POST', headers, body: file });
  return (await (await requireOk(response)).json()) as { readonly id: string };
}

/**
 * Reads server-sent events. `EventSource` cannot send the token as a header, and a token in the address would end up in logs.
 *
 * @throws ApiError
 */
export async function listen(
  path: string,
  query: Query,
  hear: (event: string, data: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await requireOk(await fetch(buildUrl(path, query), { headers, signal }));
  if (body === null) return;
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event = '', data = ''] = /^event: (.*)\ndata: ([^]*)$/.exec(block) ?? [];
      hear(event, JSON.parse(data) as unknown);
    }
  }
}
