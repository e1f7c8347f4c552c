import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from './json';
import { requestProblems } from './requestRules';
import type { RequestProblem } from './RequestRule';

/** The protocol of a provider, as far as a fake needs it. */
export interface Wire {
  /** The only path that is served. */
  readonly path: string;
  /** The part of it that belongs to the client's base URL. */
  readonly base: string;
  isAuthorised(headers: IncomingHttpHeaders): boolean;
  /** The reasons to refuse a request. */
  problems(body: unknown): readonly RequestProblem[];
  /** The body of an error. */
  error(message: string, type: string, code: string | null): unknown;
  /** One chunk of a streamed answer, as a server-sent event. */
  event(chunk: unknown): string;
  /** The end of a stream. */
  readonly end: string;
  /** Binds what an answer holds to the request, where the provider does so. */
  readonly sign?: (<Value>(value: Value, body: Json) => Value) | undefined;
  /** What the provider drops from a request without refusing it: reasoning that is bound to something else. */
  readonly removed?: ((body: Json) => readonly string[]) | undefined;
}

/** A request body, of which nothing is known but that it holds messages. */
export type RequestBody = Json & { readonly messages: readonly Json[]; readonly tools?: readonly Json[] };

/** OpenAI's Chat Completions. */
export const chatWire: Wire = {
  path: '/v1/chat/completions',
  base: '/v1',
  isAuthorised: ({ authorization }) => authorization?.startsWith('Bearer ') === true,
  problems: requestProblems,
  error: (message, type, code) => ({ error: { message, type, param: null, code } }),
  event: (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
  end: 'data: [DONE]\n\n',
};
