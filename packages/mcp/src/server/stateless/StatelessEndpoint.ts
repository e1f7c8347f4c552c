import {
  classifyInboundRequest,
  createMcpHandler,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { isRecord, messageOf } from 'toolwright/internal/light';
import type { HttpInput } from '../http/HttpInput.js';
import type { McpPeer } from '../McpClient.js';
import { type ConnectionServices, openPrompt } from '../ServedPrompt.js';
import type { AnswerVault } from './AnswerVault.js';
import type { ListChanges } from './ListChanges.js';
import { openServer } from './openServer.js';
import { replaceInvalidState } from './replaceInvalidState.js';
import { StatelessPrompt } from './StatelessPrompt.js';

/** The first revision without sessions. */
const FIRST_STATELESS = '2026-07-28';
const DATED = /^\d{4}-\d{2}-\d{2}$/;

/** The parts of a request that the SDK does not pass on. */
interface RequestFacts {
  readonly peer: McpPeer;
  readonly method: string;
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
}

/** Services of an endpoint, shared with connections of the same server. */
export interface StatelessServices extends ConnectionServices {
  readonly vault: AnswerVault;
  readonly changes: ListChanges;
}

/** Answers HTTP requests of revisions without sessions: each by a server of its own, in any process. */
export class StatelessEndpoint {
  readonly #services: StatelessServices;
  readonly #handler: McpHttpHandler;
  readonly #facts = new WeakMap<Request, RequestFacts>();
  /** Tool calls, and requests that are not answered yet. */
  readonly #pending = new Set<Promise<unknown>>();

  /** @param maxSubscriptions the most streams of `subscriptions/listen` */
  constructor(services: StatelessServices, maxSubscriptions: number) {
    this.#services = services;
    this.#handler = createMcpHandler(({ requestInfo }) => this.#open(requestInfo), {
      legacy: 'reject',
      bus: services.changes,
      maxSubscriptions,
      onerror: (error) => services.logger.debug(`MCP: ${messageOf(error)}`),
    });
  }

  /** Answers a request. @param body its parsed body; undefined for a request without one */
  async handle({ method, headers, signal, authInfo }: HttpInput, peer: McpPeer, body?: unknown): Promise<Response> {
    const request = new Request('http://localhost/', { method, headers, signal });
    const { shown, kept } = setArgumentsAside(replaceInvalidState(body));
    this.#facts.set(request, { peer, method: isRecord(body) ? String(body['method']) : '', arguments: kept });
    const answer = this.#handler.fetch(request, {
      ...(authInfo === undefined ? {} : { authInfo }),
      ...(shown === undefined ? {} : { parsedBody: shown }),
    });
    this.#pending.add(answer);
    try {
      return await answer;
    } finally {
      this.#pending.delete(answer);
    }
  }

  /** Resolves once all requests are answered, and all calls have ended. */
  async waitUntilIdle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
  }

  /** Ends all streams, and aborts running calls. */
  async close(): Promise<void> {
    await this.#handler.close();
  }

  async #open(request: Request | undefined): ReturnType<typeof openServer> {
    const facts = request === undefined ? undefined : this.#facts.get(request);
    if (facts === undefined)
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'The SDK did not pass the request on.');
    const { prompt, session } = await openPrompt(this.#services, facts.peer);
    const { vault, changes } = this.#services;
    return openServer({
      served: new StatelessPrompt(this.#services, facts.peer, prompt, session, changes, this.#pending),
      vault,
      method: facts.method,
      arguments: facts.arguments,
    });
  }
}

/** Says whether the header of a request names a revision without sessions. */
export function isStatelessVersion(version: string | undefined): boolean {
  return version !== undefined && DATED.test(version) && version >= FIRST_STATELESS;
}

/** Says whether the SDK answers a request as one of a revision without sessions; also one that is refused as such. */
export function isStateless({ method, headers }: HttpInput, body: unknown): boolean {
  const { kind } = classifyInboundRequest({
    httpMethod: method,
    body,
    ...nameHeader('protocolVersionHeader', headers['mcp-protocol-version']),
    ...nameHeader('mcpMethodHeader', headers['mcp-method']),
    ...nameHeader('mcpNameHeader', headers['mcp-name']),
  });
  return kind !== 'legacy';
}

function nameHeader(name: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: value };
}

/**
 * Takes the arguments out of a call, because the schemas of the protocol copy them at each check although they only require an
 * object.
 */
function setArgumentsAside(body: unknown): {
  readonly shown: unknown;
  readonly kept: Readonly<Record<string, unknown>> | undefined;
} {
  if (!isRecord(body) || body['method'] !== 'tools/call' || !isRecord(body['params']))
    return { shown: body, kept: undefined };
  const { arguments: given } = body['params'];
  if (!isRecord(given)) return { shown: body, kept: undefined };
  return { shown: { ...body, params: { ...body['params'], arguments: {} } }, kept: given };
}
