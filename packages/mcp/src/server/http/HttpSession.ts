import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { McpConnection } from '../McpConnection.js';
import type { HttpReply } from './HttpInput.js';
import { ReplayBuffer, type ReplayTotal } from './ReplayBuffer.js';

/** Limits of a session over HTTP. */
export interface HttpSessionLimits {
  readonly idleMs: number;
  readonly replayed: number;
  readonly retryMs: number;
  readonly maxUnreadBytes: number;
}

/** The owner of a session, and the totals that it shares with other sessions. */
export interface HttpSessionOwner {
  readonly principal: string | undefined;
  /** The principal, or the address of an anonymous client. Limits count by account. */
  readonly account: string;
  readonly replayTotal: ReplayTotal;
}

/** One session over HTTP: its transport, its principal, and its idle timeout. */
export class HttpSession {
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #limits: HttpSessionLimits;
  #using = 0;
  #idle: NodeJS.Timeout | undefined;
  #isOver = false;
  readonly #replay: ReplayBuffer;

  private constructor(
    readonly id: string,
    readonly owner: HttpSessionOwner,
    readonly connection: McpConnection,
    limits: HttpSessionLimits,
  ) {
    this.#limits = limits;
    this.#replay = new ReplayBuffer(limits.replayed, owner.replayTotal);
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: this.#replay,
      retryInterval: limits.retryMs,
    });
  }

  /** Begins a session. @param onEnd called once, when the session is over */
  static async begin(
    id: string,
    owner: HttpSessionOwner,
    connection: McpConnection,
    limits: HttpSessionLimits,
    onEnd: () => void,
  ): Promise<HttpSession> {
    const session = new HttpSession(id, owner, connection, limits);
    session.#transport.onclose = () => {
      session.#isOver = true;
      clearTimeout(session.#idle);
      session.#replay.clear();
      onEnd();
    };
    await connection.connect(session.#transport);
    return session;
  }

  /** The number of requests being answered and of open streams. */
  get requests(): number {
    return this.#using;
  }

  /** True while the session does nothing, so that it may be closed to make room for another. */
  get isIdle(): boolean {
    return this.#using === 0 && !this.connection.isBusy;
  }

  /** Handles a request. @param body its parsed body; undefined without one */
  async handle(
    method: string,
    headers: Readonly<Record<string, string>>,
    authInfo: AuthInfo | undefined,
    body?: JSONRPCMessage | readonly JSONRPCMessage[],
  ): Promise<HttpReply> {
    this.#begin();
    const options = {
      ...(authInfo === undefined ? {} : { authInfo }),
      ...(body === undefined ? {} : { parsedBody: body }),
    };
    try {
      const request = new Request('http://localhost/', { method, headers });
      const response = await this.#transport.handleRequest(request, options);
      if (response.body !== null) return this.#keepUntilRead(response);
      this.#end();
      return { response };
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  /** Keeps the session in use until the response has been read. */
  #keepUntilRead(response: Response): HttpReply {
    let isOver = false;
    const end = (): void => {
      if (!isOver) this.#end();
      isOver = true;
    };
    return { response, watch: { maxUnreadBytes: this.#limits.maxUnreadBytes, end } };
  }

  #begin(): void {
    this.#using++;
    clearTimeout(this.#idle);
  }

  #end(): void {
    this.#using--;
    clearTimeout(this.#idle);
    // A request that ends the session, such as DELETE, is answered after its end. A timer would keep a session that no limit counts.
    if (this.#using > 0 || this.#isOver) return;
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
