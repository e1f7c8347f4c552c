import type { Awaitable } from '../../../common/types.js';
import type { PendingCall } from '../../../error/ApprovalPendingError.js';
import type { RunMetadata } from '../../../interface/RunMetadata.js';
import type { BoundPrompt } from '../../../prompt/BoundPrompt.js';
import type { Session } from '../../../session/Session.js';
import type { McpHttpOptions } from './McpHttpOptions.js';
import type { McpPeer } from './McpPeer.js';
import type { McpPrompt } from './McpPrompt.js';
import type { McpResource, McpResourceTemplate } from './McpResource.js';

/** What an MCP server is, beside the application and the prompt that it serves; everything has a default. */
export interface McpServerOptions {
  /** How the server calls itself; `ns/key` of the prompt when left out. */
  readonly name?: string | undefined;
  /** `1.0.0` when left out. */
  readonly version?: string | undefined;
  /** What clients tell their model of the server: the prompt's text as it is when a session begins, unless this says otherwise. */
  readonly instructions?: string | false | undefined;
  /** Makes the session of an MCP session: with tags, slices, or state from elsewhere. A new, empty one when left out. */
  readonly session?: ((peer: McpPeer) => Awaitable<Session>) | undefined;
  /** Ids for the events of its calls, beside `mcpSession` and `mcpRequest`. */
  readonly runMetadata?: ((peer: McpPeer) => RunMetadata) | undefined;
  /** Documents beside the sections of the prompt. */
  readonly resources?: readonly McpResource[] | undefined;
  /** Documents whose URIs follow a template. */
  readonly resourceTemplates?: readonly McpResourceTemplate[] | undefined;
  /** MCP prompts beside the served one, which is always the first. */
  readonly prompts?: readonly (BoundPrompt | McpPrompt)[] | undefined;
  /**
   * Keeps a call that waits for its approval, to be continued with `app.continueCall`. Without it, the model is told that
   * such a call cannot wait here.
   */
  readonly onPending?: ((call: PendingCall, peer: McpPeer) => Awaitable<void>) | undefined;
  /** Entries of a list that are sent at once; 100 when left out. */
  readonly pageSize?: number | undefined;
  readonly http?: McpHttpOptions | undefined;
}
