import type { McpPeer } from './McpClient.js';
import type { McpServerOptions } from './McpServerOptions.js';

/** Whose call is run. */
export interface MetadataOwner {
  readonly peer: McpPeer;
  /** The scopes of the client's token, separated by spaces; undefined without a token. */
  readonly scopes: string | undefined;
}

/** Creates the metadata that direct calls and tasks have in common. The option `runMetadata` may replace each entry. */
export function createRunMetadata(
  { runMetadata }: Pick<McpServerOptions, 'runMetadata'>,
  { peer, scopes }: MetadataOwner,
): Readonly<Record<string, string>> {
  return {
    ...(peer.principal === undefined ? {} : { principal: peer.principal }),
    ...(scopes === undefined ? {} : { scopes }),
    ...runMetadata?.(peer),
  };
}
