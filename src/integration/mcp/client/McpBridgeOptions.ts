import type { Logger } from '../../../interface/Logger.js';
import type { ToolHints, ToolOptions } from '../../../metadata/args/ToolMetadataArgs.js';

/** What a server lists: a tool, a resource, or a template of resources. */
export interface RemoteTool {
  readonly kind: 'tool' | 'resource' | 'template';
  /** The name that it gets here. */
  readonly name: string;
  /** Under which the server is called; for resources, `read_` or `query_` and the name that the server gives. */
  readonly remoteName: string;
  /** The server's words, without control characters, at most 4,000 characters. Not to be trusted. */
  readonly description: string;
  /** What the server says that the tool does. Not to be trusted. */
  readonly annotations: ToolHints;
}

/** What a host says of a bridged tool in place of the server. */
export type RemoteToolOptions = Pick<
  ToolOptions,
  | 'description'
  | 'hints'
  | 'requiresApproval'
  | 'policies'
  | 'feedback'
  | 'callers'
  | 'timeoutMs'
  | 'resultLimit'
  | 'acceptsOverrides'
>;

/** Which tools of a server are bridged, and how (docs/contract.md, 24). */
export interface McpBridgeOptions {
  /** Only these, by the names that they get here or have there; all when left out. */
  readonly names?: readonly string[] | undefined;
  /** True by default: resources become tools `read_…`, templates of resources `query_…`. */
  readonly resources?: boolean | undefined;
  /** Stands before every name, with `_` between: keeps the tools of two servers apart. */
  readonly prefix?: string | undefined;
  /** False by default. True takes the server's word for what only reads and may be repeated: such calls may run at the same time. */
  readonly trustAnnotations?: boolean | undefined;
  /** What the host itself says of each tool; counts before everything that the server says. */
  readonly each?: ((tool: RemoteTool) => Partial<RemoteToolOptions> | undefined) | undefined;
  /** Milliseconds that one call, and the listing, may take; 60,000 when left out. */
  readonly callTimeoutMs?: number | undefined;
  /** Bytes of one answer that are taken; 8 MiB when left out. */
  readonly maxResultBytes?: number | undefined;
  /** Hears of what is left out, and why; the console when left out. */
  readonly logger?: Logger | undefined;
}
