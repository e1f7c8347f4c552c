import { HEADERS } from './serverKit';

/** The revision without sessions. */
export const STATELESS = '2026-07-28';

/** An answer over HTTP, whether it came as JSON or as events. */
export interface Answer {
  readonly status: number;
  readonly result: Result;
  readonly error: { readonly code: number; readonly message: string; readonly data?: { readonly code?: string } };
  /** Everything that was received before the result. */
  readonly notifications: readonly { readonly method: string; readonly params: Record<string, unknown> }[];
}

/** The parts of results that tests read. */
export interface Result {
  readonly resultType?: string;
  readonly content?: readonly { readonly text: string }[];
  readonly isError?: boolean;
  readonly requestState?: string;
  readonly inputRequests?: Readonly<
    Record<string, { readonly method: string; readonly params: { readonly message: string } }>
  >;
  readonly [name: string]: unknown;
}

/** A request of a revision without sessions, and how it differs from a plain one. */
export interface Asking {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly capabilities?: object;
  readonly id?: string | number;
  readonly signal?: AbortSignal;
}

/** The capabilities of a client that can be asked everything. */
export const ASKABLE = { elicitation: { form: {} }, sampling: {}, roots: {} };

/** The message and headers of a request. */
export function stateless(
  method: string,
  { params = {}, headers = {}, capabilities = ASKABLE, id = 1 }: Asking = {},
): { readonly body: string; readonly headers: Record<string, string> } {
  const name = params['name'] ?? params['uri'] ?? params['taskId'];
  const meta = {
    'io.modelcontextprotocol/protocolVersion': STATELESS,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'test-client', version: '1.0.0' },
    ...(params['_meta'] as object | undefined),
  };
  return {
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }),
    headers: {
      ...HEADERS,
      'mcp-protocol-version': STATELESS,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
  };
}

/** Sends a request of a revision without sessions. */
export async function ask(url: string, method: string, asking: Asking = {}): Promise<Answer> {
  const { signal } = asking;
  const response = await fetch(url, {
    method: 'POST',
    ...stateless(method, asking),
    ...(signal === undefined ? {} : { signal }),
  });
  return readAnswer(response);
}

/** Calls a tool. */
export function call(
  url: string,
  name: string,
  more: Readonly<Record<string, unknown>> = {},
  asking: Asking = {},
): Promise<Answer> {
  return ask(url, 'tools/call', { ...asking, params: { name, arguments: {}, ...more } });
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const messages = text.startsWith('{')
    ? [JSON.parse(text) as object]
    : [...text.matchAll(/^data: (?<json>.+)$/gm)].map(({ groups }) => JSON.parse(groups?.['json'] ?? '') as object);
  const last = (messages.at(-1) ?? {}) as Pick<Answer, 'result' | 'error'>;
  return {
    status: response.status,
    result: last.result,
    error: last.error,
    notifications: messages.slice(0, -1) as unknown as Answer['notifications'],
  };
}

/** The text of a result. */
export const textOf = ({ result }: Answer): string | undefined => result.content?.[0]?.text;

/** The answer of a user to a form. */
export const accept = (content: Readonly<Record<string, unknown>> = {}): object => ({ action: 'accept', content });

/** Answers every question of a result, and keeps its state: the params of the next round. */
export function answerQuestions({ result }: Answer, answer: object): Record<string, unknown> {
  const keys = Object.keys(result.inputRequests ?? {});
  return {
    inputResponses: Object.fromEntries(keys.map((key) => [key, answer])),
    requestState: result.requestState,
  };
}
