import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type {
  CreateMessageRequestParamsBase,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitResult,
  Implementation,
  ListRootsResult,
  LoggingLevel,
} from '@modelcontextprotocol/sdk/types.js';
import { type OptionNames, requireOptionNames } from 'toolwright/internal';
import { messageOf } from 'toolwright/internal/light';
import { type ResourceScope, UnboundResourceError } from 'toolwright/resources';
import { DEFAULT_ANSWER_MS } from '../limits.js';
import { McpServerError } from './McpServerError.js';
import { AnswerMissing } from './tasks/AnswerMissing.js';

/** A capability of clients that a question needs. */
export type ClientCapability = 'elicitation' | 'sampling' | 'roots';

/** Options of a question to a client. */
export interface McpQuestionOptions {
  /**
   * The name of the question in the protocol from 2026-07-28 on, unique within the call; when left out, a name made of its position and
   * content. An answer belongs to the question of its name, so a name must always stand for the same question.
   */
  readonly key?: string | undefined;
  /** The milliseconds that the client has to answer, up to 2025-11-25; ten minutes when left out. */
  readonly waitMs?: number | undefined;
}

/** The options of a question, with their defaults. */
interface Question {
  readonly key: string | undefined;
  readonly waitMs: number;
}

/** The parts of a connection that one request uses. */
export interface ClientLink {
  readonly peer: McpPeer;
  readonly info: Implementation | undefined;
  readonly authInfo: AuthInfo | undefined;
  readonly headers: Readonly<Record<string, string>>;
  supports(capability: ClientCapability): boolean;
  log(level: LoggingLevel, data: unknown, logger?: string): Promise<void>;
  elicit(params: ElicitRequestFormParams, question: Question): Promise<ElicitResult>;
  sample(params: CreateMessageRequestParamsBase, question: Question): Promise<CreateMessageResult>;
  listRoots(question: Question): Promise<ListRootsResult>;
  closeStream(): void;
  continueAsTask(): Promise<void>;
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

  /** Says whether the client can be asked for a thing: by `elicit`, `sample` or `listRoots`. */
  supports(capability: ClientCapability): boolean {
    return this.#link.supports(capability);
  }

  /**
   * Asks the user of the client to fill in a form. Up to 2025-11-25, the call waits for the answer. From 2026-07-28 on, the call is
   * rolled back and runs again from its start with the answer, perhaps in another process: ask before effects that no transaction
   * rolls back.
   *
   * @param requestedSchema the schema of a flat object: its properties are scalars or lists of choices
   * @throws McpServerError E693 if the client does not support it, or does not answer; E697 when the call ends to
   * run again
   */
  async elicit(
    message: string,
    requestedSchema: ElicitRequestFormParams['requestedSchema'],
    options: McpQuestionOptions = {},
  ): Promise<ElicitResult> {
    const question = readQuestion('client.elicit', options);
    return awaitAnswer('elicitation/create', this.#link.elicit({ message, requestedSchema }, question));
  }

  /**
   * Lets the client's own model generate a message, in the same way as `elicit`.
   *
   * @throws McpServerError E693, E697
   */
  async sample(params: CreateMessageRequestParamsBase, options: McpQuestionOptions = {}): Promise<CreateMessageResult> {
    const question = readQuestion('client.sample', options);
    return awaitAnswer('sampling/createMessage', this.#link.sample(params, question));
  }

  /**
   * Returns the folders that the client opened for the server, in the same way as `elicit`. Clients give up this feature.
   *
   * @throws McpServerError E693, E697
   */
  async listRoots(options: McpQuestionOptions = {}): Promise<ListRootsResult> {
    return awaitAnswer('roots/list', this.#link.listRoots(readQuestion('client.listRoots', options)));
  }

  /**
   * Ends the stream of this request; the client reconnects for the answer. Use it for calls that take longer than proxies allow. Does
   * nothing from 2026-07-28 on, because no stream can be resumed there.
   */
  closeStream(): void {
    this.#link.closeStream();
  }

  /**
   * Lets the client stop waiting: the call is rolled back, and runs again from its start as a task, with the answers that the client has
   * given. Does nothing in a task, for a client that cannot follow tasks, and for a tool whose rule does not say `begins: 'handler'`.
   *
   * @throws McpServerError E697 when the call ends to run again
   */
  async continueAsTask(): Promise<void> {
    await this.#link.continueAsTask();
  }
}

const questionNames: OptionNames<McpQuestionOptions> = { key: 1, waitMs: 1 };

function readQuestion(place: string, options: McpQuestionOptions): Question {
  requireOptionNames(place, options, questionNames);
  return { key: options.key, waitMs: options.waitMs ?? DEFAULT_ANSWER_MS };
}

async function awaitAnswer<T>(place: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof McpServerError || cause instanceof AnswerMissing) throw cause;
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
