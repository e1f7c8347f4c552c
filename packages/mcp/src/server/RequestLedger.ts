import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { isPlainObject } from 'toolwright/internal/light';
import { findRequestFault, type RequestFault } from './findRequestFault.js';

/** A transport that can end the stream of one request. */
interface StreamingTransport extends Transport {
  closeSSEStream?(id: RequestId): void;
}

/** An unanswered request. */
interface OpenRequest {
  readonly abort: AbortController;
  /** The arguments of a call, as they were sent. */
  readonly arguments: Arguments | undefined;
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Wraps a transport: tracks open requests, refuses invalid ones, and sends no messages of cancelled ones.
 */
export class RequestLedger implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined;
  /** Set once a stream may carry the answers of several requests. */
  sharesStreams = false;

  #inner: StreamingTransport | undefined;
  readonly #open = new Map<RequestId, OpenRequest>();
  #whenIdle: (() => void)[] = [];

  /** Sets the transport. Call it before the transport is started. */
  over(inner: Transport): this {
    this.#inner = inner;
    return this;
  }

  get sessionId(): string | undefined {
    return this.#inner?.sessionId;
  }

  get size(): number {
    return this.#open.size;
  }

  has(id: RequestId): boolean {
    return this.#open.has(id);
  }

  /** Returns a signal that aborts when the client cancels the request or disconnects. */
  signalOf(id: RequestId): AbortSignal {
    return this.#open.get(id)?.abort.signal ?? AbortSignal.abort(new Error('The request is over.'));
  }

  /** Returns the arguments of a call as they were sent; undefined for a call without arguments. */
  argumentsOf(id: RequestId): Arguments | undefined {
    return this.#open.get(id)?.arguments;
  }

  /** Resolves once every request is answered; never resolves if the transport ends earlier. */
  waitUntilAnswered(): Promise<void> {
    return this.#open.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  async start(): Promise<void> {
    const inner = this.#inner;
    if (inner === undefined) return;
    const { onclose } = inner;
    inner.onclose = () => {
      onclose?.();
      this.#abortAll('The client left.');
      this.onclose?.();
    };
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => this.#receive(message, extra);
    await inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const isAnswer = !('method' in message);
    const id = isAnswer ? message.id : options?.relatedRequestId;
    const request = id === undefined ? undefined : this.#open.get(id);
    try {
      // The client no longer waits for the answer, and may have dropped the id.
      if (request?.abort.signal.aborted === true) return;
      await this.#inner?.send(message, options);
    } finally {
      if (isAnswer) this.#end(message.id);
    }
  }

  async close(): Promise<void> {
    this.#abortAll('The server is closing.');
    await this.#inner?.close();
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (!isRequest(message) && 'method' in message && message.method === 'notifications/cancelled') {
      this.#cancel(message.params?.['requestId'], message.params?.['reason']);
      return;
    }
    if (isRequest(message)) {
      const { shown, kept } = setArgumentsAside(message);
      const fault = this.has(message.id)
        ? { code: -32600, message: 'A request with this id is still open.' }
        : findRequestFault(shown);
      if (fault !== undefined) {
        void this.#inner
          ?.send(createErrorResponse(message.id, fault))
          .catch((error: unknown) => this.onerror?.(error as Error));
        return;
      }
      this.#open.set(message.id, { abort: new AbortController(), arguments: kept });
      this.onmessage?.(shown, extra);
      return;
    }
    this.onmessage?.(message, extra);
  }

  #cancel(id: unknown, reason: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const request = this.#open.get(id);
    if (request === undefined || request.abort.signal.aborted) return;
    const why = typeof reason === 'string' ? `: ${reason.slice(0, 200)}` : '';
    request.abort.abort(new Error(`The client cancelled the request${why}`));
    // Nothing more is sent on this stream.
    if (!this.sharesStreams) this.#inner?.closeSSEStream?.(id);
  }

  #end(id: RequestId | undefined): void {
    if (id === undefined || !this.#open.delete(id) || this.#open.size > 0) return;
    const waiting = this.#whenIdle;
    this.#whenIdle = [];
    for (const resolve of waiting) resolve();
  }

  #abortAll(why: string): void {
    for (const { abort } of this.#open.values()) abort.abort(new Error(why));
  }
}

/**
 * Takes the arguments out of a call, because the schemas of the protocol copy them at each check although they only require an
 * object. Arguments that are not a plain object stay, so that the schemas refuse them.
 */
function setArgumentsAside(request: JSONRPCRequest): { shown: JSONRPCRequest; kept: Arguments | undefined } {
  const given = request.method === 'tools/call' ? request.params?.['arguments'] : undefined;
  if (!isPlainObject(given)) return { shown: request, kept: undefined };
  return { shown: { ...request, params: { ...request.params, arguments: {} } }, kept: given };
}

/** Checks for a request. Its other fields were checked as it was read, and the protocol's schemas would copy it. */
export function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

/** Creates the answer to a refused request. */
function createErrorResponse(id: RequestId, { code, message }: RequestFault): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
