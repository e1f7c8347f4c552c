import {
  createServer,
  request as forward,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock, type FixtureResponse } from '@copilotkit/aimock';
import type { Json } from './json';
import type { RequestProblem } from './RequestRule';
import { chatWire, type RequestBody, type Wire } from './Wire';

/** The reaction of the provider to one request. */
export type Turn =
  | { readonly kind: 'answer'; readonly answer: FixtureResponse; readonly tamper?: (completion: Json) => unknown }
  | { readonly kind: 'raw'; readonly status: number; readonly headers: Record<string, string>; readonly body: string }
  | {
      readonly kind: 'stream';
      readonly chunks: readonly unknown[];
      readonly end: StreamEnd;
      /** The number of bytes that are sent; all when left out. */
      readonly bytes?: number;
    }
  | { readonly kind: 'hang' }
  | { readonly kind: 'drop' };

/** The end of a stream: normal, by a lost connection, or none at all. */
export type StreamEnd = 'done' | 'drop' | 'hang';

/** A turn, or a function of the request, for what depends on whether a stream is asked for. */
export type ScriptedTurn = Turn | ((body: RequestBody) => Turn);

/** The model answers; `tamper` changes what aimock made of it, for what aimock cannot say. */
export function answer(given: FixtureResponse, tamper?: (completion: Json) => unknown): Turn {
  return { kind: 'answer', answer: given, ...(tamper === undefined ? {} : { tamper }) };
}

/** An answer to the letter, past aimock. */
export function raw(status: number, body: string, headers: Record<string, string> = {}): Turn {
  return { kind: 'raw', status, body, headers: { 'content-type': 'application/json', ...headers } };
}

/** A streamed answer to the letter, past aimock. */
export function streamed(chunks: readonly unknown[], end: StreamEnd = 'done'): Turn {
  return { kind: 'stream', chunks, end };
}

/** A streamed answer that is cut after so many bytes, by a connection that ends or is lost. */
export function cutAfter(bytes: number, chunks: readonly unknown[], end: 'done' | 'drop'): Turn {
  return { kind: 'stream', chunks, end, bytes };
}

/** The provider takes the request and never says anything. */
export const hang: Turn = { kind: 'hang' };

/** The connection is lost before there is an answer. */
export const drop: Turn = { kind: 'drop' };

/** A request as it arrived. */
export interface ReceivedRequest {
  readonly body: RequestBody;
  readonly headers: IncomingHttpHeaders;
  /** The reasons of the refusal; empty for a valid one. */
  readonly problems: readonly RequestProblem[];
  /** What was dropped without a refusal, since something before it has changed. */
  readonly removed: readonly string[];
  /** Settles when the connection closes: true if the client aborted before it had its answer. */
  readonly abandoned: Promise<boolean>;
}

/**
 * A provider on loopback: checks every request as strictly as the real one does, records it, and lets aimock answer by
 * the script. A request that breaks a rule gets 400 in the provider's own form, with the rule's id as `code`.
 */
export class ProviderDouble {
  readonly requests: ReceivedRequest[] = [];
  readonly #wire: Wire;
  readonly #script: ScriptedTurn[];
  readonly #answers: FixtureResponse[] = [];
  readonly #model = new LLMock({ port: 0, host: '127.0.0.1', strict: true, logLevel: 'silent' });
  readonly #server: Server;
  readonly #waiting: (() => void)[] = [];

  private constructor(wire: Wire, script: readonly ScriptedTurn[]) {
    this.#wire = wire;
    this.#script = [...script];
    this.#model.on({ endpoint: 'chat' }, () => this.#answers.shift() ?? { error: { message: 'nothing to say' } });
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  static start(...script: readonly ScriptedTurn[]): Promise<ProviderDouble> {
    return ProviderDouble.speaking(chatWire, ...script);
  }

  /** A double of any provider. */
  static async speaking(wire: Wire, ...script: readonly ScriptedTurn[]): Promise<ProviderDouble> {
    const double = new ProviderDouble(wire, script);
    await double.#model.start();
    await new Promise<void>((resolve) => double.#server.listen(0, '127.0.0.1', resolve));
    return double;
  }

  /** For the client's `baseURL`. */
  get baseURL(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}${this.#wire.base}`;
  }

  /** Adds turns at the end of the script. */
  play(...turns: readonly ScriptedTurn[]): void {
    this.#script.push(...turns);
  }

  /** Turns that were not requested. */
  get left(): number {
    return this.#script.length;
  }

  /** Resolves once so many requests have arrived. */
  async received(count: number): Promise<void> {
    while (this.requests.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Ends every connection in the middle of whatever it is doing. */
  drop(): void {
    this.#server.closeAllConnections();
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await Promise.all([closed, this.#model.stop()]);
  }

  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const abandoned = new Promise<boolean>((resolve) => response.once('close', () => resolve(!response.writableEnded)));
    const text = await textOf(incoming);
    const body = JSON.parse(text) as ReceivedRequest['body'];
    const problems = this.#wire.problems(body);
    const removed = this.#wire.removed?.(body) ?? [];
    this.requests.push({ body, headers: incoming.headers, problems, removed, abandoned });
    for (const wake of this.#waiting.splice(0)) wake();
    const refusal = refusalOf(this.#wire, incoming, problems);
    const scripted =
      refusal ??
      this.#script.shift() ??
      raw(500, JSON.stringify(this.#wire.error('The script is at its end.', 'server_error', null)));
    const turn = typeof scripted === 'function' ? scripted(body) : scripted;
    switch (turn.kind) {
      case 'hang':
        return;
      case 'drop':
        response.destroy();
        return;
      case 'raw':
        response.writeHead(turn.status, turn.headers).end(signedText(this.#wire, turn, body));
        return;
      case 'stream':
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        if (turn.bytes !== undefined) {
          const events = turn.chunks.map((chunk) => this.#wire.event(chunk)).join('');
          const part = Buffer.from(events).subarray(0, turn.bytes);
          // A comment first, so that there is something to wait for.
          if (turn.end === 'done') response.end(part);
          else response.write(Buffer.concat([Buffer.from(':\n\n'), part]), () => response.destroy());
          return;
        }
        for (const chunk of turn.chunks) {
          response.write(this.#wire.event(this.#wire.sign?.(chunk, body) ?? chunk));
        }
        if (turn.end === 'done') response.end(this.#wire.end);
        // Not before what was written has left.
        else if (turn.end === 'drop') response.write(':\n\n', () => response.destroy());
        return;
      case 'answer':
        this.#answers.push(turn.answer);
        await this.#forward(incoming, text, response, turn.tamper);
    }
  }

  async #forward(
    incoming: IncomingMessage,
    text: string,
    response: ServerResponse,
    tamper: ((completion: Json) => unknown) | undefined,
  ): Promise<void> {
    const answered = await new Promise<IncomingMessage>((resolve, reject) => {
      const { 'content-length': _length, connection: _connection, host: _host, ...headers } = incoming.headers;
      forward(`${this.#model.url}${incoming.url ?? ''}`, { method: 'POST', headers, agent: false }, resolve)
        .on('error', reject)
        .end(text);
    });
    const said = await textOf(answered);
    const tampered = tamper === undefined ? said : JSON.stringify(tamper(JSON.parse(said) as Json));
    const {
      'content-length': _length,
      'transfer-encoding': _encoding,
      connection: _connection,
      ...headers
    } = answered.headers;
    response.writeHead(answered.statusCode ?? 500, headers).end(tampered);
  }
}

/** The provider's answer to a request that it does not even parse. */
function refusalOf(
  wire: Wire,
  { method, url, headers }: IncomingMessage,
  [problem]: readonly RequestProblem[],
): Turn | undefined {
  const refused = (status: number, message: string, code: string | null = null): Turn =>
    raw(status, JSON.stringify(wire.error(message, 'invalid_request_error', code)));
  if (method !== 'POST' || url !== wire.path) return refused(404, `Invalid URL (${String(method)} ${String(url)})`);
  if (!wire.isAuthorised(headers)) return refused(401, "You didn't provide an API key.");
  return problem === undefined ? undefined : refused(400, problem.message, problem.rule);
}

/** The body of a good answer, bound to its request. */
function signedText(wire: Wire, turn: Extract<Turn, { kind: 'raw' }>, body: Json): string {
  if (wire.sign === undefined || turn.status !== 200) return turn.body;
  try {
    return JSON.stringify(wire.sign(JSON.parse(turn.body) as unknown, body));
  } catch {
    // A page, or JSON that is cut off.
    return turn.body;
  }
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
