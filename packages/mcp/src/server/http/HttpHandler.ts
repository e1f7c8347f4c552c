import { randomUUID, createHash } from 'node:crypto';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describeValue, messageOf } from 'toolwright/internal/light';
import { walkValue, Turns } from 'toolwright/internal';
import { BODY_EXTENT, DEFAULT_HTTP_LIMITS } from '../../limits.js';
import type { McpConnection } from '../McpConnection.js';
import type { McpHttpOptions, McpRequestInfo } from '../McpHttpOptions.js';
import { McpServerError } from '../McpServerError.js';
import { openConnection } from '../openConnection.js';
import { Authorization, isToolCall } from '../authorization/Authorization.js';
import type { McpPeer } from '../McpClient.js';
import { createCodedResponse, createErrorResponse } from './createErrorResponse.js';
import { findHostFault } from './findHostFault.js';
import type { HttpBody, HttpInput, HttpReply } from './HttpInput.js';
import { HttpSession, type HttpSessionOwner } from './HttpSession.js';
import { isRequest } from '../RequestLedger.js';
import {
  isStateless,
  isStatelessVersion,
  StatelessEndpoint,
  type StatelessServices,
} from '../stateless/StatelessEndpoint.js';
import { readMessages } from './readMessages.js';

const LOST =
  'The body was read before the request reached server.handler, and request.body is not set. Mount the handler before the middleware that reads the body, or set request.body to the value it read.';
const METHODS = ['GET', 'POST', 'DELETE'];
/** The last protocol revision with batches. */
const LAST_WITH_BATCHES = '2025-03-26';

/** Handles HTTP requests of a server: checks hosts, origins and sizes, and finds or begins the session of a request. */
export class HttpHandler {
  readonly #services: StatelessServices;
  readonly #stateless: StatelessEndpoint;
  readonly #options: McpHttpOptions;
  readonly #sessions = new Map<string, HttpSession>();
  /** The number of starting sessions and arriving bodies, by account. */
  readonly #beginning = new Map<string, number>();
  readonly #receiving = new Map<string, number>();
  /** The number of open requests without a session, by account. */
  readonly #answering = new Map<string, number>();
  readonly #replayTotal = { bytes: 0 };
  readonly #limits: typeof DEFAULT_HTTP_LIMITS;
  readonly #authorization: Authorization | undefined;
  /** Lets other requests run between starting sessions, each of which takes some milliseconds. */
  readonly #turns = new Turns(0);
  #isClosing = false;

  constructor(services: StatelessServices) {
    this.#services = services;
    this.#options = services.options.http ?? {};
    const { authorization } = this.#options;
    this.#authorization = authorization === undefined ? undefined : new Authorization(authorization);
    const given = Object.entries(this.#options).filter(([, value]) => value !== undefined);
    this.#limits = { ...DEFAULT_HTTP_LIMITS, ...Object.fromEntries(given) };
    this.#stateless = new StatelessEndpoint(services, this.#limits.maxSessions);
  }

  /** The path of the metadata of the protected resource; undefined without authorization. */
  get metadataPath(): string | undefined {
    return this.#authorization?.metadataPath;
  }

  get connections(): readonly McpConnection[] {
    return [...this.#sessions.values()].map(({ connection }) => connection);
  }

  async handle(input: HttpInput): Promise<HttpReply> {
    try {
      const reply = await this.#handle(input);
      return reply instanceof Response ? { response: reply } : reply;
    } catch (error) {
      this.#services.logger.error(`MCP: a request could not be answered: ${messageOf(error)}`, { error });
      if (error instanceof McpServerError && error.code === 'E926')
        return { response: createCodedResponse('E926', 503, 'Tokens cannot be checked now. Try again later.') };
      return {
        response: createErrorResponse(500, -32603, 'The server could not answer. The request is not at fault.'),
      };
    }
  }

  /** Resolves once all requests without a session are answered. */
  waitUntilIdle(): Promise<void> {
    return this.#stateless.waitUntilIdle();
  }

  /** Refuses all further requests. */
  stop(): void {
    this.#isClosing = true;
  }

  async close(): Promise<void> {
    this.stop();
    const sessions = [...this.#sessions.values()].map((session) => session.close());
    await Promise.all([this.#stateless.close(), ...sessions]);
  }

  async #handle(received: HttpInput): Promise<Response | HttpReply> {
    if (this.#isClosing) return createErrorResponse(503, -32000, 'The server is closing.');
    const fault = findHostFault(received, this.#options);
    if (fault !== undefined) return createErrorResponse(403, -32000, fault);
    if (received.method === 'GET' && received.path === this.#authorization?.metadataPath)
      return this.#authorization.answerMetadata();
    if (!METHODS.includes(received.method)) {
      const response = createErrorResponse(405, -32000, 'Only GET, POST and DELETE are answered.');
      response.headers.set('allow', METHODS.join(', '));
      return response;
    }
    const granted = await this.#authorization?.admit(received.headers);
    if (granted instanceof Response) return granted;
    const input = granted === undefined ? received : { ...received, authInfo: granted };
    const { headers, authInfo } = input;
    const principal = await principalOf({ headers, authInfo }, this.#options);
    if (principal === false) {
      const message = 'The server does not accept these credentials.';
      return this.#authorization?.refuse(message) ?? createCodedResponse('E694', 401, message);
    }
    const account = principal === undefined ? `address ${input.address ?? ''}` : `principal ${principal}`;
    const isWithoutSession = isStatelessVersion(headers['mcp-protocol-version']);
    const id = isWithoutSession ? undefined : headers['mcp-session-id'];
    const session = id === undefined ? undefined : this.#sessions.get(id);
    // A session of another principal is reported as missing, so that its id cannot be probed.
    if (id !== undefined && (session === undefined || session.owner.principal !== principal))
      return createErrorResponse(404, -32001, 'There is no such session. Begin a new one with initialize.');
    if (input.method !== 'DELETE' && this.#requestsOf(account) >= this.#limits.maxRequestsPerPrincipal)
      return createCodedResponse('E695', 429, 'Too many requests of yours are open. Let some of them end.');
    if (session !== undefined) this.#touch(session);
    const owner = { principal, account, replayTotal: this.#replayTotal };
    if (input.method === 'POST') return this.#post(input, owner, session);
    if (isWithoutSession) return this.#answer(input, owner);
    if (session === undefined) return createErrorResponse(400, -32000, 'The header Mcp-Session-Id is missing.');
    return session.handle(input.method, headers, authInfo);
  }

  async #post(
    input: HttpInput,
    owner: HttpSessionOwner,
    session: HttpSession | undefined,
  ): Promise<Response | HttpReply> {
    const { maxBodyBytes } = this.#limits;
    const body = await this.#readBody(input, owner.account, maxBodyBytes);
    if (body.kind === 'too large')
      return createErrorResponse(413, -32000, `The body may have ${String(maxBodyBytes)} bytes at most.`);
    if (body.kind === 'too much' || (body.kind === 'parsed' && walkValue(body.value, BODY_EXTENT) !== undefined))
      return createErrorResponse(
        413,
        -32000,
        `The body may hold ${String(BODY_EXTENT.values)} values at most, in ${String(BODY_EXTENT.depth)} levels.`,
      );
    if (body.kind === 'lost') {
      this.#services.logger.error(`MCP: ${LOST}`);
      return createErrorResponse(500, -32603, LOST);
    }
    let parsed: unknown;
    try {
      parsed = body.kind === 'parsed' ? body.value : JSON.parse(body.text);
    } catch {
      return createErrorResponse(400, -32700, 'The body is not JSON.');
    }
    const read = readMessages(parsed);
    if (!read.ok) return createErrorResponse(400, read.fault.code, read.fault.message, { id: read.fault.id });
    const { messages, isBatch } = read;
    if (isStateless(input, parsed)) return this.#answer(input, owner, { messages, body: parsed });
    if (session === undefined) {
      await this.#turns.next();
      return this.#begin(input, owner, messages, isBatch);
    }
    const refusedMessages = refuseMessages(session, messages, isBatch, input.headers['mcp-protocol-version']);
    if (refusedMessages !== undefined) return refusedMessages;
    const { prompt } = session.connection;
    const lacking = this.#authorization?.findMissingScopes(prompt, messages, input.authInfo);
    if (lacking !== undefined) return lacking;
    return session.handle('POST', input.headers, input.authInfo, isBatch ? messages : messages[0]);
  }

  /** Refuses a call without the scopes of its tool. A prompt is opened only for it if calls need scopes at all. */
  async #refuseStatelessCall(peer: McpPeer, messages: readonly JSONRPCMessage[]): Promise<Response | undefined> {
    if (this.#authorization === undefined || !messages.some(isToolCall)) return undefined;
    const prompt = await this.#services.promptFor(peer);
    return this.#authorization.findMissingScopes(prompt, messages, peer.authInfo);
  }

  /** Answers a request of a revision without sessions. It counts as open until its response has been read. */
  async #answer(
    input: HttpInput,
    owner: HttpSessionOwner,
    { messages = [], body }: { readonly messages?: readonly JSONRPCMessage[]; readonly body?: unknown } = {},
  ): Promise<HttpReply> {
    const { headers, authInfo } = input;
    const { principal, account } = owner;
    addCount(this.#answering, account, 1);
    let isOver = false;
    const end = (): void => {
      if (!isOver) addCount(this.#answering, account, -1);
      isOver = true;
    };
    try {
      const peer = createPeer(principal, authInfo, headers);
      const refused = await this.#refuseStatelessCall(peer, messages);
      const response = refused ?? (await this.#stateless.handle(input, peer, body));
      if (response.body !== null) return { response, watch: { maxUnreadBytes: this.#limits.maxUnreadBytes, end } };
      end();
      return { response };
    } catch (error) {
      end();
      throw error;
    }
  }

  async #begin(
    input: HttpInput,
    owner: HttpSessionOwner,
    messages: readonly JSONRPCMessage[],
    isBatch: boolean,
  ): Promise<Response | HttpReply> {
    const [first] = messages;
    if (isBatch || first === undefined || !isRequest(first) || first.method !== 'initialize')
      return createErrorResponse(400, -32000, 'The header Mcp-Session-Id is missing. Begin with initialize.');
    if (!isInitializeRequest(first))
      return createErrorResponse(400, -32602, 'The params of initialize do not fit.', { id: first.id });
    const { maxSessions } = this.#limits;
    if (this.#sessions.size + sumCounts(this.#beginning) >= maxSessions)
      return createErrorResponse(503, -32000, 'The server has as many sessions as it may have. Try again later.', {
        id: first.id,
      });
    if (!(await this.#makeRoom(owner.account)))
      return createCodedResponse('E695', 429, 'You have as many sessions as you may have, and all are busy.', first.id);
    addCount(this.#beginning, owner.account, 1);
    let session: HttpSession;
    try {
      session = await this.#open(input, owner);
    } finally {
      addCount(this.#beginning, owner.account, -1);
    }
    const reply = await session.handle('POST', input.headers, input.authInfo, first);
    // The transport refused the request, for example because of its Accept header.
    if (reply.response.status !== 200) await session.close();
    return reply;
  }

  async #open({ headers, authInfo }: HttpInput, owner: HttpSessionOwner): Promise<HttpSession> {
    const sessionId = randomUUID();
    const connection = await openConnection(this.#services, {
      transport: 'http',
      sessionId,
      principal: owner.principal,
      authInfo,
      headers,
    });
    const session = await HttpSession.begin(sessionId, owner, connection, this.#limits, () => {
      this.#sessions.delete(sessionId);
    });
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** Reads a body. It counts as a request while it arrives. */
  async #readBody(input: HttpInput, account: string, limit: number): Promise<HttpBody> {
    addCount(this.#receiving, account, 1);
    try {
      return await input.body(limit);
    } finally {
      addCount(this.#receiving, account, -1);
    }
  }

  #requestsOf(account: string): number {
    const open = this.#sessionsOf(account).reduce((sum, { requests }) => sum + requests, 0);
    return open + (this.#receiving.get(account) ?? 0) + (this.#answering.get(account) ?? 0);
  }

  #sessionsOf(account: string): readonly HttpSession[] {
    return [...this.#sessions.values()].filter(({ owner }) => owner.account === account);
  }

  /** Moves a session to the end of the list. The first sessions have been idle for longest. */
  #touch(session: HttpSession): void {
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
  }

  /** Ends the oldest idle session if an account has reached its limit. Returns false if no session is idle. */
  async #makeRoom(account: string): Promise<boolean> {
    const own = this.#sessionsOf(account);
    const most = this.#limits.maxSessionsPerPrincipal;
    if (own.length + (this.#beginning.get(account) ?? 0) < most) return true;
    const oldest = own.find(({ isIdle }) => isIdle);
    await oldest?.close();
    return oldest !== undefined;
  }
}

/** Returns the peer of a request without a session. */
function createPeer(
  principal: string | undefined,
  authInfo: AuthInfo | undefined,
  headers: McpPeer['headers'],
): McpPeer {
  return { transport: 'http', sessionId: undefined, principal, authInfo, headers };
}

function addCount(counts: Map<string, number>, account: string, change: 1 | -1): void {
  const count = (counts.get(account) ?? 0) + change;
  if (count === 0) counts.delete(account);
  else counts.set(account, count);
}

function sumCounts(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Refuses messages that are a batch in a revision without batches, or that reuse the id of an open request. */
function refuseMessages(
  { connection }: HttpSession,
  messages: readonly JSONRPCMessage[],
  isBatch: boolean,
  version: string | undefined,
): Response | undefined {
  const { ledger } = connection;
  if (isBatch) {
    if ((version ?? LAST_WITH_BATCHES) > LAST_WITH_BATCHES)
      return createErrorResponse(
        400,
        -32600,
        'This revision of the protocol has no batches: send one message at a time.',
      );
    ledger.sharesStreams = true;
  }
  const ids = new Set<string | number>();
  for (const message of messages) {
    if (!isRequest(message)) continue;
    // Two answers with the same id could not be told apart, and neither could their streams.
    if (ledger.has(message.id) || ids.has(message.id))
      return createErrorResponse(400, -32600, 'A request with this id is still open.', { id: message.id });
    ids.add(message.id);
  }
  return undefined;
}

/**
 * Returns the principal of a request; undefined for anonymous requests, and false for requests that the host refuses.
 *
 * @throws McpServerError E694 for a principal that is not a text
 */
async function principalOf(
  request: McpRequestInfo,
  { principal }: McpHttpOptions,
): Promise<string | false | undefined> {
  if (principal !== undefined) {
    const found: unknown = await principal(request);
    if (found === undefined || found === false || typeof found === 'string') return found;
    const problem = `expected a text, undefined or false, got ${describeValue(found)}`;
    throw new McpServerError(problem, { code: 'E694', place: 'http.principal' });
  }
  const { authInfo, headers } = request;
  const subject = authInfo?.extra?.['sub'];
  if (authInfo !== undefined && typeof subject === 'string') return JSON.stringify([authInfo.clientId, subject]);
  const credentials = authInfo?.token ?? headers['authorization'];
  // The credentials are hashed, because principals are stored and passed to the host.
  return credentials === undefined ? undefined : createHash('sha256').update(credentials).digest('hex');
}
