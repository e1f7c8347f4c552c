import type { Logger, ToolHints, ToolOptions } from 'toolwright';
import type { OptionNames } from 'toolwright/internal';
import type { Awaitable } from 'toolwright/types';
import type { McpPinChange, McpPinStore } from './pins/McpPins.js';

/** An entry of a server's lists: a tool, a resource, or a template of resources. */
export interface RemoteTool {
  readonly kind: 'tool' | 'resource' | 'template';
  /** The name of the bridged tool. */
  readonly name: string;
  /** The server's name for it; names of resources are prefixed with `read_` or `query_`. */
  readonly remoteName: string;
  /** The server's description without control characters, at most 4,000 characters. Do not trust it. */
  readonly description: string;
  /** The server's hints on the behaviour of the tool. Do not trust them. */
  readonly annotations: ToolHints;
}

/** Options with which a host overrides the server's declaration of a tool. */
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
  | 'onUnknown'
>;

/** Options for bridging the tools of a server (docs/contract.md, 26). */
export interface McpBridgeOptions {
  /** The tools to bridge, by their bridged or remote names; all when left out. */
  readonly names?: readonly string[] | undefined;
  /** True to bridge resources as tools `read_…`, and templates of resources as `query_…`; true when left out. */
  readonly resources?: boolean | undefined;
  /** A prefix of every name, followed by `_`. It keeps the tools of two servers apart. */
  readonly prefix?: string | undefined;
  /** True to trust the server's hints `readOnly` and `idempotent`, so that calls of such tools may run together. False when left out. */
  readonly trustAnnotations?: boolean | undefined;
  /** Returns the host's own declaration of a tool, which takes precedence over the server's. */
  readonly each?: ((tool: RemoteTool) => Partial<RemoteToolOptions> | undefined) | undefined;
  /** Milliseconds that one call, or the listing, may take; 60,000 when left out. */
  readonly callTimeoutMs?: number | undefined;
  /** The most bytes of one answer; 8 MiB when left out. */
  readonly maxResultBytes?: number | undefined;
  /**
   * Pins the names, descriptions and schemas of the server at the first connection. What differs later is left out, until the
   * difference is accepted. Nothing is pinned when left out.
   */
  readonly pins?: McpPinStore | undefined;
  /** Decides about each difference from the pins: true accepts and pins it. `refuse` when left out. */
  readonly onChange?: 'refuse' | ((change: McpPinChange) => Awaitable<boolean>) | undefined;
  /** Receives a warning for each entry that is left out; the console when left out. */
  readonly logger?: Logger | undefined;
}

export const bridgeOptionNames: OptionNames<McpBridgeOptions> = {
  names: 1,
  resources: 1,
  prefix: 1,
  trustAnnotations: 1,
  each: 1,
  callTimeoutMs: 1,
  maxResultBytes: 1,
  pins: 1,
  onChange: 1,
  logger: 1,
};

/** Separates the options of the bridge from other options. */
export function splitBridgeOptions<T extends McpBridgeOptions>(
  options: T,
): readonly [McpBridgeOptions, Omit<T, keyof McpBridgeOptions>] {
  const entries = Object.entries(options);
  const isOfBridge = ([name]: readonly [string, unknown]): boolean => Object.hasOwn(bridgeOptionNames, name);
  return [
    Object.fromEntries(entries.filter(isOfBridge)),
    Object.fromEntries(entries.filter((entry) => !isOfBridge(entry))) as Omit<T, keyof McpBridgeOptions>,
  ];
}
