import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** Requests at one time. */
const CONCURRENCY = 8;
const VERSION = '2025-11-25';
const STATELESS = '2026-07-28';
const CLIENT = { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } };

interface Reply {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Tells the benchmark the URL of this process's server, and from then on its CPU time. Ends with the benchmark. */
export function reportServer(url: string): void {
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.on('disconnect', () => process.exit());
  process.send?.(url);
}

/** A server for MCP clients in a process of its own, with one session or without sessions. */
export class ServerProcess {
  #headers: Readonly<Record<string, string>> = {};
  #agent = new Agent();
  #last = 0;
  #meta: object | undefined;

  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
  ) {}

  /**
   * Starts a program that calls `reportServer`, and begins a session with it.
   *
   * @param isStateless uses the revision without sessions
   */
  static async start(file: string, isStateless = false): Promise<ServerProcess> {
    const child = fork(file);
    child.once('exit', (code) => {
      if (code !== 0) throw new Error(`${file} ended with code ${String(code)}`);
    });
    const [url] = (await once(child, 'message')) as [string];
    const server = new ServerProcess(child, url);
    if (isStateless) {
      server.#meta = {
        'io.modelcontextprotocol/protocolVersion': STATELESS,
        'io.modelcontextprotocol/clientInfo': CLIENT.clientInfo,
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      server.#headers = { 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/call', 'mcp-name': 'get_order' };
      return server;
    }
    const { headers } = await server.#ask('initialize', CLIENT);
    server.#headers = { 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': VERSION };
    return server;
  }

  /** Calls `get_order` a number of times. Returns the milliseconds of CPU time that the server took for each call. */
  async timeCalls(count: number): Promise<number> {
    // A server closes connections that were idle between two rounds.
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
    const start = await this.#readCpu();
    let left = count;
    const callInTurn = async (): Promise<void> => {
      while (left-- > 0) await this.#call(`#W${String(left)}`);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, callInTurn));
    return ((await this.#readCpu()) - start) / count;
  }

  close(): void {
    this.#agent.destroy();
    this.child.disconnect();
  }

  async #call(order: string): Promise<void> {
    const { text } = await this.#ask('tools/call', {
      name: 'get_order',
      arguments: { order_id: order },
      _meta: this.#meta,
    });
    if (!text.includes(`"text":"Order ${order}: shipped"`)) throw new TypeError(`the server answered ${text}`);
  }

  async #readCpu(): Promise<number> {
    const answer = once(this.child, 'message');
    this.child.send('cpu');
    const [{ user, system }] = (await answer) as [NodeJS.CpuUsage];
    return (user + system) / 1_000;
  }

  #ask(method: string, params: object): Promise<Reply> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#last, method, params });
    const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const headers = { ...accept, 'content-length': Buffer.byteLength(body), ...this.#headers };
    return new Promise((resolve, reject) => {
      const sent = request(this.url, { method: 'POST', agent: this.#agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ headers: response.headers, text })).on('error', reject);
      });
      sent.on('error', reject).end(body);
    });
  }
}
