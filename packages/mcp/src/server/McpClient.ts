import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type {
  CreateMessageRequestParamsBase,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitResult,
  Implementation,
  LoggingLevel,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from 'toolwright/internal/light';
import { type ResourceScope, UnboundResourceError } from 'toolwright/resources';
import { DEFAULT_ANSWER_MS } from '../limits.js';
import { McpServerError } from './McpServerError.js';
import { AnswerMissing } from './tasks/TaskLink.js';

/** The parts of a connection that one request uses. */
export interface ClientLink {
  readonly peer: McpPeer;
  readonly info: Implementation | undefined;
  readonly authInfo: AuthInfo | undefined;
  readonly headers: Readonly<Record<string, string>>;
  log(level: LoggingLevel, data: unknown, logger: string | undefined): Promise<void>;
  elicit(params: ElicitRequestFormParams, timeoutMs: number): Promise<ElicitResult>;
  sample(params: CreateMessageRequestParamsBase, timeoutMs: number): Promise<CreateMessageResult>;
  closeStream(): void;
}

/**
 * The MCP client of a call: its identity, and requests to it. It is a resource of the call, so the same handler also serves calls
 * that do not come from MCP.
 *
 * @example
 * const client = McpClient.of(context);
 * await client?.log('info', 'Looking the order up.');
 */
export class McpClient {
  readonly #link: ClientLink;

  constructor(link: ClientLink) {
    this.#link = link;
  }

  /** Returns the client of a call; undefined if the call is not from MCP. */
  static of(this: void, { resources }: { readonly resources: ResourceScope }): McpClient | undefined {
    try {
      return resources.get(McpClient);
    } catch (error) {
      if (error instanceof UnboundResourceError) return undefined;
      throw error;
    }
  }

  /** The peer that began the session. */
  get peer(): McpPeer {
    return this.#link.peer;
  }

  /** The name and version that the client declared. */
  get info(): Implementation | undefined {
    return this.#link.info;
  }

  /** The authorisation that middleware has added to this request. */
  get authInfo(): AuthInfo | undefined {
    return this.#link.authInfo;
  }

  /** The headers of this HTTP request, with names in lower case; empty for other transports. */
  get headers(): Readonly<Record<string, string>> {
    return this.#link.headers;
  }

  /**
   * Sends an entry for the client's log, unless the client asked only for higher levels. The entry leaves the host, so do not log
   * secrets.
   *
   * @param data a text, or plain data
   * @param logger the name of the part of the server that logs
   */
  async log(level: LoggingLevel, data: unknown, logger?: string): Promise<void> {
    await this.#link.log(level, data, logger);
  }

  /**
   * Asks the user of the client to fill in a form.
   *
   * @param requestedSchema the schema of a flat object: its properties are scalars or lists of choices
   * @param waitMs the milliseconds that the user has; ten minutes when left out
   * @throws McpServerError E693 if the client does not support it, or does not answer
   */
  async elicit(
    message: string,
    requestedSchema: ElicitRequestFormParams['requestedSchema'],
    waitMs = DEFAULT_ANSWER_MS,
  ): Promise<ElicitResult> {
    return awaitAnswer('elicitation/create', this.#link.elicit({ message, requestedSchema }, waitMs));
  }

  /**
   * Lets the client's own model generate a message.
   *
   * @throws McpServerError E693 if the client does not support it, or does not answer
   */
  async sample(params: CreateMessageRequestParamsBase, waitMs = DEFAULT_ANSWER_MS): Promise<CreateMessageResult> {
    return awaitAnswer('sampling/createMessage', this.#link.sample(params, waitMs));
  }

  /** Ends the stream of this request; the client reconnects for the answer. Use it for calls that take longer than proxies allow. */
  closeStream(): void {
    this.#link.closeStream();
  }
}

async function awaitAnswer<T>(place: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof AnswerMissing) throw cause;
    throw new McpServerError(`the client did not answer: ${messageOf(cause)}`, { code: 'E693', place, cause });
  }
}

/** The client that begins an MCP session, as far as the transport identifies it. */
export interface McpPeer {
  readonly transport: 'stdio' | 'http' | 'other';
  /** The random id of the session; undefined if the transport has none. */
  readonly sessionId: string | undefined;
  /** The principal of the session: the result of `http.principal` for its first request. */
  readonly principal: string | undefined;
  /** The authorisation that middleware has added as `request.auth`. */
  readonly authInfo: AuthInfo | undefined;
  /** The headers of the first HTTP request, with names in lower case; empty for other transports. */
  readonly headers: Readonly<Record<string, string>>;
}
