import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { McpService } from '@toolwright/mcp';

/** Things that a test may have to close. */
const open: { close(): Promise<unknown> }[] = [];

/** Ends every server and client of the test; for `afterEach`. */
export async function closeAll(): Promise<void> {
  await Promise.allSettled(open.splice(0).map((each) => each.close()));
}

/** Notes something that `closeAll` ends. */
export function closing<T extends { close(): Promise<unknown> }>(each: T): T {
  open.push(each);
  return each;
}

/** Starts an HTTP server on a free port, and returns its URL. */
export async function listenOnLoopback(server: Server): Promise<string> {
  closing({
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

/** The official client, in this process. */
export async function clientOf(server: McpService, capabilities: Record<string, object> = {}): Promise<Client> {
  closing(server);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test-client', version: '1.0.0' }, { capabilities });
  await server.connect(far);
  await client.connect(near);
  return closing(client);
}

/** The official client, over HTTP. */
export async function httpClient(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test-client', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  // Its optional properties are declared with `| undefined`, and the interface's are not.
  await client.connect(transport);
  return closing(client);
}

/** A peer that sends what the test passes, and keeps what it receives. */
export class RawPeer {
  readonly heard: JSONRPCMessage[] = [];
  readonly #transport: InMemoryTransport;
  #wake: (() => void)[] = [];

  private constructor(transport: InMemoryTransport) {
    this.#transport = transport;
    transport.onmessage = (message) => {
      this.heard.push(message);
      for (const wake of this.#wake.splice(0)) wake();
    };
  }

  /** A peer that is through with `initialize`. */
  static async of(server: McpService): Promise<RawPeer> {
    closing(server);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const peer = new RawPeer(near);
    await near.start();
    await peer.say({ id: 'hello', method: 'initialize', params: INITIALIZE });
    await peer.until((message) => 'id' in message && message.id === 'hello');
    await peer.say({ method: 'notifications/initialized' });
    return peer;
  }

  async say(message: Record<string, unknown>): Promise<void> {
    await this.#transport.send({ jsonrpc: '2.0', ...message } as unknown as JSONRPCMessage);
  }

  /** The first message, received already or in future, that matches. */
  async until(wanted: (message: JSONRPCMessage) => boolean): Promise<JSONRPCMessage> {
    for (;;) {
      const found = this.heard.find(wanted);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  answerTo(id: string | number): Promise<JSONRPCMessage> {
    return this.until((message) => 'id' in message && message.id === id);
  }
}

export const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
};

/** The headers of every request over HTTP. */
export const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Sends a body as it is. */
export function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body });
}

/** One message of JSON-RPC as a body. */
export function message(method: string, params?: object, id?: string | number): string {
  return JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, ...(params && { params }) });
}

/** Begins a session by hand; returns its id. */
export async function beginSession(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await post(url, message('initialize', INITIALIZE, 1), headers);
  await response.text();
  const id = response.headers.get('mcp-session-id') ?? '';
  const ready = await post(url, message('notifications/initialized'), { ...headers, 'mcp-session-id': id });
  await ready.text();
  return id;
}

/** The code of the error in an answer, whether it came as JSON or as an event. */
export async function errorCode(response: Response): Promise<number | undefined> {
  const text = await response.text();
  const json = /^data: (.+)$/m.exec(text)?.[1] ?? text;
  return (JSON.parse(json) as { readonly error?: { readonly code: number } }).error?.code;
}
