import type { Awaitable } from 'toolwright/types';
import type { McpClient } from './McpClient.js';
import type { McpData } from './McpContent.js';

/** The description of a resource in lists. */
export interface McpResourceInfo {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** A document that the host offers in addition to the sections of the prompt. */
export interface McpResource extends McpResourceInfo {
  readonly uri: string;
  read(client: McpClient): Awaitable<McpData>;
}

/** Documents with URIs that follow a template (RFC 6570), such as `orders://{id}/invoice`. */
export interface McpResourceTemplate extends McpResourceInfo {
  readonly uriTemplate: string;
  /** Returns the document; undefined if it does not exist. */
  read(variables: Readonly<Record<string, string>>, client: McpClient): Awaitable<McpData | undefined>;
  /** Returns suggestions for a variable, given the text typed so far. */
  complete?(variable: string, typed: string): Awaitable<readonly string[]>;
}
