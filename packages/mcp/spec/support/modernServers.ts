import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer, type McpHttpHandler } from '@modelcontextprotocol/server';

type Data = Readonly<Record<string, unknown>>;

/** The lists and answers of a small server of revision 2026-07-28, which is asked in this process. */
export interface ModernScript {
  readonly tools: () => readonly Data[];
  readonly call?: (params: Data, input: Readonly<Record<string, unknown>> | undefined) => unknown;
}

/** A client of `@modelcontextprotocol/client`, and the server that it is connected to. */
export interface ModernConnected {
  readonly client: Client;
  /** Tells all clients that the list of tools has changed. */
  readonly announce: () => void;
  /** Ends all streams of the server, and starts it again. */
  readonly restart: () => Promise<void>;
  /** The headers of each request, in order. */
  readonly requests: { readonly method: string; readonly headers: Headers }[];
}

const open: (() => Promise<void>)[] = [];

/** Closes everything that was opened since; for afterEach. */
export async function closeModernServers(): Promise<void> {
  await Promise.all(open.splice(0).map((close) => close()));
}

/** Connects a client of `@modelcontextprotocol/client` to a server of the newest revision, or of 2025-11-25. */
export async function connectedModern(
  script: ModernScript,
  options: ClientOptions = { versionNegotiation: { mode: 'auto' } },
): Promise<ModernConnected> {
  const start = (): McpHttpHandler =>
    createMcpHandler(() => {
      const mcp = new McpServer(
        { name: 'modern', version: '1.0.0' },
        { capabilities: { tools: { listChanged: true } } },
      );
      const { server } = mcp;
      server.setRequestHandler(
        'tools/list',
        () => ({ tools: script.tools(), ttlMs: 0, cacheScope: 'private' }) as never,
      );
      server.setRequestHandler(
        'tools/call',
        async ({ params }, { mcpReq }) => (await script.call?.({ ...params }, mcpReq.inputResponses)) as never,
      );
      return mcp;
    });
  let handler = start();
  const requests: ModernConnected['requests'] = [];
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    fetch: async (url, init) => {
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as { readonly method?: string }) : {};
      requests.push({ method: body.method ?? '', headers: new Headers(init?.headers) });
      return handler.fetch(new Request(url, init));
    },
  });
  const client = new Client({ name: 'spec', version: '1.0.0' }, options);
  open.push(async () => {
    await client.close();
    await handler.close();
  });
  await client.connect(transport);
  return {
    client,
    requests,
    announce: () => {
      handler.notify.toolsChanged();
    },
    restart: async () => {
      const old = handler;
      handler = start();
      await old.close();
    },
  };
}
