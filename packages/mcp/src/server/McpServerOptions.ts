import type { ServerEventBus } from '@modelcontextprotocol/server';
import type { BoundPrompt, PendingCall, RenderedPrompt, RunMetadata, Session } from 'toolwright';
import type { Awaitable } from 'toolwright/types';
import type { McpHttpOptions } from './McpHttpOptions.js';
import type { McpPeer } from './McpClient.js';
import type { McpPrompt } from './McpPrompt.js';
import type { McpTaskOptions } from './tasks/McpTaskOptions.js';
import type { McpResource, McpResourceTemplate } from './McpResource.js';
import type { McpSkill } from './McpSkill.js';
import type { McpStateStore } from './stateless/McpStateStore.js';

/** Options of an MCP server. Every option has a default. */
export interface McpServerOptions {
  /** The name of the server; `ns/key` of the prompt when left out. */
  readonly name?: string | undefined;
  /** The version of the server; `1.0.0` when left out. */
  readonly version?: string | undefined;
  /** The instructions for the clients' models; when left out, the prompt's text at the start of the session; false for none. */
  readonly instructions?: string | false | undefined;
  /**
   * Creates the `Session` of an MCP session, with tags, slices or stored state; from 2026-07-28 on, which has no MCP sessions over HTTP,
   * of each request. A new, empty one when left out.
   */
  readonly session?: ((peer: McpPeer) => Awaitable<Session>) | undefined;
  /** Returns metadata for the events of its calls, in addition to `principal`, `mcpSession` and `mcpRequest`. */
  readonly runMetadata?: ((peer: McpPeer) => RunMetadata) | undefined;
  /** Documents in addition to the sections of the prompt. */
  readonly resources?: readonly McpResource[] | undefined;
  /** Documents with URIs that follow a template. */
  readonly resourceTemplates?: readonly McpResourceTemplate[] | undefined;
  /** MCP prompts in addition to the served one, which is always the first. */
  readonly prompts?: readonly (BoundPrompt | McpPrompt)[] | undefined;
  /**
   * Skills that clients of 2026-07-28 can load, or a function that returns them for the prompt of a client, rendered for its
   * request. Do not change a list that you have passed.
   */
  readonly skills?: readonly McpSkill[] | ((rendered: RenderedPrompt) => Awaitable<readonly McpSkill[]>) | undefined;
  /**
   * Stores a call that waits for its approval; `app.continueCall` continues it. When left out, such a call is denied, with the
   * reason that it cannot wait here.
   */
  readonly onPending?: ((call: PendingCall, peer: McpPeer) => Awaitable<void>) | undefined;
  /** The number of entries in one page of a list; 100 when left out. */
  readonly pageSize?: number | undefined;
  /** Notes which answers of clients were used, for all processes of the server; the memory of this process when left out. */
  readonly stateStore?: McpStateStore | undefined;
  /** The milliseconds that a client has to answer questions of a call from 2026-07-28 on; ten minutes when left out. */
  readonly stateMs?: number | undefined;
  /** Announces changes in all processes of the server, to their clients of 2026-07-28; only in this one when left out. */
  readonly eventBus?: ServerEventBus | undefined;
  /**
   * Runs calls of some tools as tasks, from 2026-07-28 on: the client gets an id at once, and asks for the result later, of any process.
   * When left out, every call is answered directly.
   */
  readonly tasks?: McpTaskOptions | undefined;
  readonly http?: McpHttpOptions | undefined;
}
