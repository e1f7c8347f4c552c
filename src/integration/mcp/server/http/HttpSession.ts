import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { McpConnection } from '../McpConnection.js';
import { ReplayBuffer } from './ReplayBuffer.js';

/** Limits of a session over HTTP. */
export interface HttpSessionLimits {
  readonly idleMs: number;
  readonly replayed: number;
  readonly retryMs: number;
}

/** One session over HTTP: its transport, its principal, and its idle timeout. */
export class HttpSession {
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #limits: HttpSessionLimits;
  #using = 0;
  #idle: NodeJS.Timeout | undefined;

  private constructor(
    readonly id: string,
    readonly principal: string | undefined,
    readonly connection: McpConnection,
    limits: HttpSessionLimits,
  ) {
    this.#limits = limits;
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: new ReplayBuffer(limits.replayed),
      retryInterval: limits.retryMs,
    });
  }

  /** @param onEnd called once, when the session is over */
  static async begin(
    id: string,
    principal: string | undefined,
    connection: McpConnection,
    limits: HttpSessionLimits,
    onEnd: () => void,
  ): Promise<HttpSession> {
    const session = new HttpSession(id, principal, connection, limits);
    session.#transport.onclose = () => {
      clearTimeout(session.#idle);
      onEnd();
    };
    await connection.connect(session.#transport);
    return session;
  }

  /** @param body the parsed body of the request; undefined if it has none */
  async handle(
    method: string,
    headers: Headers,
    authInfo: AuthInfo | undefined,
    body?: JSONRPCMessage | readonly JSONRPCMessage[],
  ): Promise<Response> {
    this.#begin();
    const options = {
      ...(authInfo === undefined ? {} : { authInfo }),
      ...(body === undefined ? {} : { parsedBody: body }),
    };
    try {
      const request = new Request('http://localhost/', { method, headers });
      const response = await this.#transport.handleRequest(request, options);
      if (response.body !== null) return this.#untilRead(response, response.body);
      this.#end();
      return response;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  /** Keeps the session in use until the response has been read. */
  #untilRead(response: Response, body: ReadableStream<Uint8Array>): Response {
    const reader = body.getReader();
    let isRead = false;
    const end = (): void => {
      if (!isRead) this.#end();
      isRead = true;
    };
    const watched = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const part = await reader.read();
        // Cancelled while it waited.
        if (isRead) return;
        if (part.done) {
          end();
          controller.close();
        } else controller.enqueue(part.value);
      },
      cancel: async (reason) => {
        end();
        await reader.cancel(reason);
      },
    });
    return new Response(watched, { status: response.status, headers: response.headers });
  }

  #begin(): void {
    this.#using++;
    clearTimeout(this.#idle);
  }

  #end(): void {
    this.#using--;
    if (this.#using > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#expire(), this.#limits.idleMs).unref();
  }

  async #expire(): Promise<void> {
    if (this.#using > 0) return;
    // A client may reconnect for the answer of a call that is still running.
    if (this.connection.isBusy) {
      this.#using++;
      this.#end();
      return;
    }
    await this.close();
  }
}
