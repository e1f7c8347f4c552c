import { randomUUID, createHash } from 'node:crypto';
import {
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../../../common/text.js';
import type { ConnectionServices, McpConnection } from '../McpConnection.js';
import type { McpHttpOptions, McpRequestInfo } from '../McpHttpOptions.js';
import { openConnection } from '../openConnection.js';
import type { HttpInput } from './HttpInput.js';
import { HttpSession, type HttpSessionLimits } from './HttpSession.js';

const DEFAULT_BODY = 4 * 1024 * 1024;
const DEFAULT_SESSIONS = 1_000;
const DEFAULT_LIMITS: HttpSessionLimits = { idleMs: 30 * 60_000, replayed: 500, retryMs: 1_000 };
const METHODS = ['GET', 'POST', 'DELETE'];
/** The last revision of the protocol with batches. */
const LAST_WITH_BATCHES = '2025-03-26';

/** The HTTP side of a server: checks hosts, origins and sizes, and finds or begins the session of a request. */
export class HttpHandler {
  readonly #services: ConnectionServices;
  readonly #options: McpHttpOptions;
  readonly #sessions = new Map<string, HttpSession>();
  #beginning = 0;
  #isClosing = false;

  constructor(services: ConnectionServices) {
    this.#services = services;
    this.#options = services.options.http ?? {};
  }

  get connections(): readonly McpConnection[] {
    return [...this.#sessions.values()].map(({ connection }) => connection);
  }

  async handle(input: HttpInput): Promise<Response> {
    try {
      return await this.#handle(input);
    } catch (error) {
      this.#services.logger.error(`MCP: a request could not be answered: ${messageOf(error)}`, { error });
      return refused(500, -32603, 'The server could not answer. It is no fault of the request.');
    }
  }

  /** Refuses all further requests. */
  stop(): void {
    this.#isClosing = true;
  }

  async close(): Promise<void> {
    this.stop();
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  async #handle(input: HttpInput): Promise<Response> {
    if (this.#isClosing) return refused(503, -32000, 'The server is closing.');
    const fault = hostFault(input, this.#options);
    if (fault !== undefined) return refused(403, -32000, fault);
    if (!METHODS.includes(input.method)) {
      const response = refused(405, -32000, 'Only GET, POST and DELETE are answered.');
      response.headers.set('allow', METHODS.join(', '));
      return response;
    }
    const { headers, authInfo } = input;
    const principal = principalOf({ headers: Object.fromEntries(headers), authInfo }, this.#options);
    const id = headers.get('mcp-session-id');
    const session = id === null ? undefined : this.#sessions.get(id);
    // The session of another principal is answered like one that does not exist, so that its id cannot be probed.
    if (id !== null && (session === undefined || session.principal !== principal))
      return refused(404, -32001, 'There is no such session. Begin a new one with initialize.');
    if (input.method === 'POST') return this.#post(input, principal, session);
    if (session === undefined) return refused(400, -32000, 'The header Mcp-Session-Id is missing.');
    return session.handle(input.method, headers, authInfo);
  }

  async #post(input: HttpInput, principal: string | undefined, session: HttpSession | undefined): Promise<Response> {
    const { maxBodyBytes = DEFAULT_BODY } = this.#options;
    const body = await input.body(maxBodyBytes);
    if (body.kind === 'too large')
      return refused(413, -32000, `The body may have ${String(maxBodyBytes)} bytes at most.`);
    let parsed: unknown;
    try {
      parsed = body.kind === 'parsed' ? body.value : JSON.parse(body.text);
    } catch {
      return refused(400, -32700, 'The body is not JSON.');
    }
    const read = messagesIn(parsed);
    if (!read.ok) return refused(400, read.fault.code, read.fault.message, read.fault.id);
    const { messages, isBatch } = read;
    if (session === undefined) return this.#begin(input, principal, messages, isBatch);
    const refusedMessages = refusedAmong(session, messages, isBatch, input.headers.get('mcp-protocol-version'));
    if (refusedMessages !== undefined) return refusedMessages;
    return session.handle('POST', input.headers, input.authInfo, isBatch ? messages : messages[0]);
  }

  async #begin(
    input: HttpInput,
    principal: string | undefined,
    messages: readonly JSONRPCMessage[],
    isBatch: boolean,
  ): Promise<Response> {
    const [first] = messages;
    if (isBatch || first === undefined || !isJSONRPCRequest(first) || first.method !== 'initialize')
      return refused(400, -32000, 'The header Mcp-Session-Id is missing. Begin with initialize.');
    if (!isInitializeRequest(first)) return refused(400, -32602, 'The params of initialize do not fit.', first.id);
    const { maxSessions = DEFAULT_SESSIONS } = this.#options;
    if (this.#sessions.size + this.#beginning >= maxSessions)
      return refused(503, -32000, 'The server has as many sessions as it may have. Try again later.', first.id);
    this.#beginning++;
    let session: HttpSession;
    try {
      session = await this.#open(input, principal);
    } finally {
      this.#beginning--;
    }
    const response = await session.handle('POST', input.headers, input.authInfo, first);
    // Refused by the transport: for its Accept header, for example.
    if (response.status !== 200) await session.close();
    return response;
  }

  async #open({ headers, authInfo }: HttpInput, principal: string | undefined): Promise<HttpSession> {
    const sessionId = randomUUID();
    const connection = await openConnection(this.#services, {
      transport: 'http',
      sessionId,
      principal,
      authInfo,
      headers: Object.fromEntries(headers),
    });
    const { idleMs, replayed, retryMs } = this.#options;
    const limits = {
      idleMs: idleMs ?? DEFAULT_LIMITS.idleMs,
      replayed: replayed ?? DEFAULT_LIMITS.replayed,
      retryMs: retryMs ?? DEFAULT_LIMITS.retryMs,
    };
    const session = await HttpSession.begin(sessionId, principal, connection, limits, () => {
      this.#sessions.delete(sessionId);
    });
    this.#sessions.set(sessionId, session);
    return session;
  }
}

/** Returns the refusal of messages: of a batch in a revision without batches, or of an id that is in use. */
function refusedAmong(
  { connection }: HttpSession,
  messages: readonly JSONRPCMessage[],
  isBatch: boolean,
  version: string | null,
): Response | undefined {
  const { ledger } = connection;
  if (isBatch) {
    if ((version ?? LAST_WITH_BATCHES) > LAST_WITH_BATCHES)
      return refused(400, -32600, 'This revision of the protocol has no batches: send one message at a time.');
    ledger.sharesStreams = true;
  }
  const ids = new Set<string | number>();
  for (const message of messages) {
    if (!isJSONRPCRequest(message)) continue;
    // Two answers with one id could not be distinguished, nor could their streams.
    if (ledger.has(message.id) || ids.has(message.id))
      return refused(400, -32600, 'A request with this id is still open.', message.id);
    ids.add(message.id);
  }
  return undefined;
}

function refused(status: number, code: number, message: string, id: string | number | null = null): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
}

/** Returns the principal of a request; undefined for anonymous requests. */
function principalOf(request: McpRequestInfo, { principal }: McpHttpOptions): string | undefined {
  if (principal !== undefined) return principal(request);
  const { authInfo, headers } = request;
  const subject = authInfo?.extra?.['sub'];
  if (authInfo !== undefined && typeof subject === 'string') return JSON.stringify([authInfo.clientId, subject]);
  const credentials = authInfo?.token ?? headers['authorization'];
  // Never the credentials themselves: principals are kept, and passed to the host.
  return credentials === undefined ? undefined : createHash('sha256').update(credentials).digest('hex');
}

/** The JSON-RPC error of a body that is not a message of the protocol. */
interface MessageFault {
  readonly code: number;
  readonly message: string;
  /** The id of the request, if it can be read. */
  readonly id?: RequestId | undefined;
}

/** The messages in a body, or its fault. */
type MessagesRead =
  | { readonly ok: true; readonly messages: readonly JSONRPCMessage[]; readonly isBatch: boolean }
  | { readonly ok: false; readonly fault: MessageFault };

const MOST_IN_A_BATCH = 100;

/** Reads the messages in a parsed body: one, or a batch of them. */
function messagesIn(body: unknown): MessagesRead {
  const isBatch = Array.isArray(body);
  const all: readonly unknown[] = isBatch ? body : [body];
  if (all.length === 0 || all.length > MOST_IN_A_BATCH)
    return { ok: false, fault: { code: -32600, message: `A batch holds 1 to ${String(MOST_IN_A_BATCH)} messages.` } };
  const messages: JSONRPCMessage[] = [];
  for (const each of all) {
    const parsed = JSONRPCMessageSchema.safeParse(each);
    if (!parsed.success)
      return { ok: false, fault: { code: -32600, message: 'This is not a JSON-RPC 2.0 message.', id: idIn(each) } };
    messages.push(parsed.data);
  }
  return { ok: true, messages, isBatch };
}

function idIn(value: unknown): RequestId | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  const { id } = value;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns the reason why the host or origin of a request is refused; undefined if both are allowed. A page of another site can
 * make a browser send requests to this machine, or its own domain name resolve to it: `Host` and `Origin` reveal both.
 */
function hostFault(
  { headers, isLocal }: Pick<HttpInput, 'headers' | 'isLocal'>,
  { allowedHosts, allowedOrigins }: McpHttpOptions,
): string | undefined {
  const hosts = allowedHosts ?? (isLocal ? LOOPBACK : undefined);
  const host = hostnameOf(`http://${headers.get('host') ?? ''}`);
  if (hosts !== undefined && (host === undefined || !isListed(hosts, host)))
    return 'The Host header names another host. The server has to list it in http.allowedHosts.';
  const origin = headers.get('origin');
  if (origin === null) return undefined;
  const isAllowed =
    allowedOrigins === undefined
      ? isListed(hosts ?? LOOPBACK, hostnameOf(origin) ?? '')
      : allowedOrigins.includes(origin);
  return isAllowed ? undefined : 'Pages of this origin may not call. The server has to list it in http.allowedOrigins.';
}

function isListed(hosts: readonly string[], host: string): boolean {
  return hosts.some((each) => each.toLowerCase() === host);
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined;
}
