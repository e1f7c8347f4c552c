import type { BoundPrompt, PendingCall, RunMetadata, Session } from 'toolwright';
import type { Awaitable } from 'toolwright/types';
import type { McpHttpOptions } from './McpHttpOptions.js';
import type { McpPeer } from './McpClient.js';
import type { McpPrompt } from './McpPrompt.js';
import type { McpResource, McpResourceTemplate } from './McpResource.js';

/** Options of an MCP server. Every option has a default. */
export interface McpServerOptions {
  /** The name of the server; `ns/key` of the prompt when left out. */
  readonly name?: string | undefined;
  /** The version of the server; `1.0.0` when left out. */
  readonly version?: string | undefined;
  /** The instructions for the clients' models; when left out, the prompt's text at the start of the session; false for none. */
  readonly instructions?: string | false | undefined;
  /** Creates the `Session` of an MCP session, with tags, slices or stored state. A new, empty one when left out. */
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
   * Stores a call that waits for its approval; `app.continueCall` continues it. When left out, such a call is denied, with the
   * reason that it cannot wait here.
   */
  readonly onPending?: ((call: PendingCall, peer: McpPeer) => Awaitable<void>) | undefined;
  /** The number of entries in one page of a list; 100 when left out. */
  readonly pageSize?: number | undefined;
  readonly http?: McpHttpOptions | undefined;
}
