import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { dirname, join } from 'node:path';

type Data = Readonly<Record<string, unknown>>;

/** The lists and answers of a small server. They are not checked: a server may send anything. */
export interface ScriptedServer {
  readonly tools?: readonly Data[];
  readonly resources?: readonly Data[];
  readonly templates?: readonly Data[];
  /** One page at a time, in place of `tools`. */
  readonly pages?: (cursor: string | undefined) => Data;
  readonly call?: (name: string, args: Data, signal: AbortSignal, tell: (progress: Data) => Promise<void>) => unknown;
  readonly read?: (uri: string) => unknown;
  readonly prompt?: (name: string, args: Data) => unknown;
}

/** A client and the server that it is connected to, in this process. */
export interface Connected {
  readonly client: Client;
  readonly server: McpServer['server'];
  /** Requests that the server got, in order: method and params. */
  readonly asked: (readonly [string, Data])[];
}

const open: (() => Promise<void>)[] = [];

/** Closes everything that was opened since; for afterEach. */
export async function closeServers(): Promise<void> {
  await Promise.all(open.splice(0).map((close) => close()));
}

/** Connects a client to a server with the given answers. */
export async function connected(script: ScriptedServer): Promise<Connected> {
  const asked: (readonly [string, Data])[] = [];
  const capabilities = {
    tools: { listChanged: true },
    ...(script.resources === undefined && script.templates === undefined ? {} : { resources: { listChanged: true } }),
    ...(script.prompt === undefined ? {} : { prompts: {} }),
  };
  const { server } = new McpServer({ name: 'scripted', version: '1.0.0' }, { capabilities });
  const note = ({ method, params }: { method: string; params?: object | undefined }): void => {
    asked.push([method, { ...params }]);
  };
  server.setRequestHandler(ListToolsRequestSchema, (request) => {
    note(request);
    return script.pages?.(request.params?.cursor) ?? { tools: script.tools ?? [] };
  });
  server.setRequestHandler(CallToolRequestSchema, async (request, { signal, sendNotification, _meta }) => {
    note(request);
    const tell = (progress: Data): Promise<void> =>
      sendNotification({
        method: 'notifications/progress',
        params: { ...progress, progressToken: _meta?.progressToken ?? 0 } as never,
      });
    return (await script.call?.(request.params.name, request.params.arguments ?? {}, signal, tell)) as never;
  });
  if ('resources' in capabilities) {
    server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: script.resources ?? [] }));
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: script.templates ?? [] }));
    server.setRequestHandler(ReadResourceRequestSchema, async (request) => {
      note(request);
      return (await script.read?.(request.params.uri)) as never;
    });
  }
  if (script.prompt !== undefined)
    server.setRequestHandler(
      GetPromptRequestSchema,
      async ({ params }) => (await script.prompt?.(params.name, params.arguments ?? {})) as never,
    );
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'spec', version: '1.0.0' });
  open.push(() => client.close());
  await Promise.all([server.connect(far), client.connect(near)]);
  return { client, server, asked };
}

/** Starts a real server as a child process, and connects to it. */
export async function startServer(
  args: readonly string[],
): Promise<{ readonly client: Client; readonly transport: StdioClientTransport }> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'ignore' });
  const client = new Client({ name: 'spec', version: '1.0.0' });
  open.push(() => client.close());
  await client.connect(transport);
  return { client, transport };
}

/** The entries of the real servers. */
export const serverEntries = {
  everything: entryOf(require.resolve('@modelcontextprotocol/server-everything/package.json')),
  filesystem: entryOf(require.resolve('@modelcontextprotocol/server-filesystem/package.json')),
};

function entryOf(manifest: string): string {
  return join(dirname(manifest), 'dist/index.js');
}

/** Text as a server answers with it. */
export function text(...texts: readonly string[]): Data {
  return { content: texts.map((each) => ({ type: 'text', text: each })) };
}
