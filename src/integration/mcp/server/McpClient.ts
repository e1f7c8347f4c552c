import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type {
  CreateMessageRequestParamsBase,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitResult,
  Implementation,
  LoggingLevel,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../../common/text.js';
import type { ResourceScope } from '../../../interface/ResourceBinding.js';
import { UnboundResourceError } from '../../../error/infrastructureErrors.js';
import type { McpPeer } from './McpPeer.js';
import { McpServerError } from './McpServerError.js';

/** What the connection lends to one request. */
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

/** People take their time. */
const DEFAULT_WAIT_MS = 10 * 60_000;

/**
 * The MCP client behind a call: who it is, and what it can be asked. A resource of the call, so that the same handler also
 * serves other doors, where there is none.
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

  /** The client of a call; undefined when the call came through another door. */
  static of(this: void, { resources }: { readonly resources: ResourceScope }): McpClient | undefined {
    try {
      return resources.get(McpClient);
    } catch (error) {
      if (UnboundResourceError.is(error)) return undefined;
      throw error;
    }
  }

  /** Who began the session. */
  get peer(): McpPeer {
    return this.#link.peer;
  }

  /** How the client calls itself. */
  get info(): Implementation | undefined {
    return this.#link.info;
  }

  /** What an authorising middleware left in this request. */
  get authInfo(): AuthInfo | undefined {
    return this.#link.authInfo;
  }

  /** Of this HTTP request, with names in lower case; empty elsewhere. */
  get headers(): Readonly<Record<string, string>> {
    return this.#link.headers;
  }

  /**
   * Sends a line for the client's log, unless it asked for graver ones only. It leaves the host: nothing secret belongs in it.
   *
   * @param data a text, or plain data
   * @param logger which part of the server speaks
   */
  async log(level: LoggingLevel, data: unknown, logger?: string): Promise<void> {
    await this.#link.log(level, data, logger);
  }

  /**
   * Asks the user behind the client to fill in a form.
   *
   * @param requestedSchema flat: an object whose properties are scalars or lists of choices
   * @param waitMs milliseconds that the user has; ten minutes when left out
   * @throws McpServerError E693 when the client cannot ask, or does not answer
   */
  async elicit(
    message: string,
    requestedSchema: ElicitRequestFormParams['requestedSchema'],
    waitMs = DEFAULT_WAIT_MS,
  ): Promise<ElicitResult> {
    return asked('elicitation/create', this.#link.elicit({ message, requestedSchema }, waitMs));
  }

  /**
   * Lets the client's own model write.
   *
   * @throws McpServerError E693 when the client offers no model, or does not answer
   */
  async sample(params: CreateMessageRequestParamsBase, waitMs = DEFAULT_WAIT_MS): Promise<CreateMessageResult> {
    return asked('sampling/createMessage', this.#link.sample(params, waitMs));
  }

  /** Ends the stream of this request; the client comes back for the answer. For calls that take longer than proxies allow. */
  closeStream(): void {
    this.#link.closeStream();
  }
}

async function asked<T>(place: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new McpServerError(`the client gave no answer: ${messageOf(cause)}`, { code: 'E693', place, cause });
  }
}
