import { guardOutput, messageOf } from 'toolwright/internal/light';
import { type AsyncCloseable, type OptionNames, requireOptionNames } from 'toolwright/internal';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stderr, stdin, stdout } from 'node:process';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { DEFAULT_GRACE_MS, IDLE_CHECK_MS, LAST_RESPONSES_MS } from '../limits.js';
import { HttpHandler } from './http/HttpHandler.js';
import { toHttpInput, respond } from './http/nodeHttp.js';
import type { McpConnection } from './McpConnection.js';
import { serveChannel, type ServedChannel } from './stateless/serveChannel.js';
import type { StatelessServices } from './stateless/StatelessEndpoint.js';
import { McpServerError } from './McpServerError.js';
import { openConnection } from './openConnection.js';
import { toFetchInput, watchResponse } from './http/webHttp.js';

/** Options of an HTTP server that listens on its own port. */
export interface McpListenOptions {
  /** The port; any free one when left out. */
  readonly port?: number | undefined;
  /** The host; `127.0.0.1` when left out. */
  readonly host?: string | undefined;
  /** The path; `/mcp` when left out. */
  readonly path?: string | undefined;
}

const listenNames: OptionNames<McpListenOptions> = { port: 1, host: 1, path: 1 };

/** A prompt as an MCP server on any number of transports. Created by `serveMcp`. */
export class McpService implements AsyncCloseable {
  readonly #services: StatelessServices;
  readonly #http: HttpHandler;
  /** The connections over transports that stay open, with the channels that serve them. */
  readonly #channels = new Map<McpConnection, Promise<ServedChannel>>();
  readonly #servers = new Set<Server>();
  #closing: Promise<void> | undefined;
  #resolveClosed: () => void = () => undefined;

  /** Resolves once the server is closed, by the host or because the input of its process has ended. */
  readonly closed = new Promise<void>((resolve) => (this.#resolveClosed = resolve));

  /**
   * Answers requests of Node's http server and of frameworks on top of it, with parsed or unparsed bodies.
   *
   * @example
   * express().all('/mcp', server.handler);
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  constructor(services: StatelessServices) {
    this.#services = services;
    this.#http = new HttpHandler(services);
    this.handler = async (request, response) => {
      try {
        const reply = await this.#http.handle(toHttpInput(request, response));
        await respond(request, response, reply.response, reply.watch);
      } catch (error) {
        services.logger.debug(`MCP: a response was not sent: ${messageOf(error)}`);
        response.destroy();
      }
    };
  }

  /**
   * Answers a web standard request, for example in Hono, Deno or workers.
   *
   * @param info the `authInfo` of an authorising middleware
   */
  async fetch(request: Request, info: { readonly authInfo?: AuthInfo | undefined } = {}): Promise<Response> {
    const { response, watch } = await this.#http.handle(toFetchInput(request, info.authInfo));
    return watchResponse(response, watch);
  }

  /**
   * Connects to the standard input and output of this process until its input ends. Until then, other text for standard output, such
   * as `console.log` in a handler, goes to standard error, because it would break the protocol.
   *
   * @throws McpServerError E692; errors of rendering the prompt, unchanged
   */
  async connectStdio(): Promise<void> {
    const { output, restore } = guardOutput(stdout, stderr, () => {
      this.#services.logger.warn(
        'MCP: text for standard output went to standard error, since the output is the protocol',
      );
    });
    const leave = (): void => void this.close();
    const end = (): void => {
      restore();
      leave();
    };
    try {
      await this.#connect(new StdioServerTransport(stdin, output), 'stdio', end);
    } catch (error) {
      restore();
      throw error;
    }
    stdin.once('end', leave);
    // Writing to a client that has exited fails. Without a listener, the error would crash the process.
    stdout.on('error', leave);
  }

  /**
   * Connects to any transport of the SDK, such as an in-memory transport.
   *
   * @throws McpServerError E692; errors of rendering the prompt, unchanged
   */
  async connect(transport: Transport): Promise<void> {
    await this.#connect(transport, 'other');
  }

  /**
   * Opens an HTTP server on its own port. It accepts only connections from this machine unless `host` is set.
   *
   * @returns the URL for clients
   * @throws McpServerError E692, or the error of opening the port
   */
  async listen(options: McpListenOptions = {}): Promise<string> {
    requireOptionNames('server.listen', options, listenNames);
    const { port = 0, host = '127.0.0.1', path = '/mcp' } = options;
    this.#refuseClosed('listen');
    const server = createServer((request, response) => {
      const asked = request.url?.split('?', 1)[0];
      if (asked === path || (asked !== undefined && asked === this.#http.metadataPath))
        void this.handler(request, response);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
    this.#servers.add(server);
    const { address, family, port: taken } = server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${String(taken)}${path}`;
  }

  /** Notifies clients of changed lists. Call it after changes that their calls did not make. */
  async refresh(): Promise<void> {
    const { changes } = this.#services;
    changes.publish({ kind: 'tools_list_changed' });
    changes.publish({ kind: 'resources_list_changed' });
    await Promise.all(
      this.#listConnections().map((connection) =>
        connection.notifyChanges((notification) => connection.protocol.notification(notification)),
      ),
    );
  }

  /** Notifies clients that subscribed to a document of the host that it has changed. */
  async resourceUpdated(uri: string): Promise<void> {
    this.#services.changes.publish({ kind: 'resource_updated', uri });
    const subscribed = this.#listConnections().filter((connection) => connection.subscribed.has(uri));
    await Promise.all(subscribed.map(({ protocol }) => protocol.sendResourceUpdated({ uri })));
  }

  /**
   * Stops accepting requests, waits for running calls, aborts calls that still run after `graceMs`, and ends every transport. Aborted
   * calls are rolled back. The application stays open.
   *
   * @param graceMs milliseconds that calls may still run; five seconds when left out
   */
  close({ graceMs = DEFAULT_GRACE_MS }: { readonly graceMs?: number | undefined } = {}): Promise<void> {
    return (this.#closing ??= this.#close(graceMs));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(graceMs: number): Promise<void> {
    this.#http.stop();
    const all = this.#listConnections();
    const settled = Promise.all([this.#http.waitUntilIdle(), ...all.map((connection) => connection.waitUntilIdle())]);
    const answered = Promise.all(all.map(({ ledger }) => ledger.waitUntilAnswered()));
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise((resolve) => (timer = setTimeout(resolve, graceMs)));
    await Promise.race([Promise.all([settled, answered]), grace]);
    clearTimeout(timer);
    await this.#http.close();
    await Promise.all([...this.#channels.values()].map(async (channel) => (await channel).close()));
    // Aborted calls are rolled back before the promise resolves.
    await settled;
    await this.#services.tasks?.close(graceMs);
    await Promise.all([...this.#servers].map(closeServer));
    this.#resolveClosed();
  }

  async #connect(transport: Transport, kind: 'stdio' | 'other', onEnd?: () => void): Promise<void> {
    this.#refuseClosed(kind === 'stdio' ? 'connectStdio' : 'connect');
    const connection = await openConnection(this.#services, {
      transport: kind,
      sessionId: transport.sessionId,
      principal: undefined,
      authInfo: undefined,
      headers: {},
    });
    const channel = serveChannel(this.#services, connection, transport, () => {
      this.#channels.delete(connection);
      onEnd?.();
    });
    this.#channels.set(connection, channel);
    await channel;
  }

  #listConnections(): readonly McpConnection[] {
    return [...this.#channels.keys(), ...this.#http.connections];
  }

  #refuseClosed(place: string): void {
    if (this.#closing !== undefined)
      throw new McpServerError('the server has been closed', { code: 'E692', place: `McpService.${place}` });
  }
}

/** Waits briefly for responses in progress, then closes the server. */
function closeServer(server: Server): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), LAST_RESPONSES_MS);
  return new Promise((resolve) => {
    server.close(() => {
      clearInterval(idle);
      clearTimeout(cut);
      resolve();
    });
  });
}
