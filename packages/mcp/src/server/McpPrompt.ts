import type { PromptMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Awaitable } from 'toolwright/types';
import type { McpClient } from './McpClient.js';

/** An argument of an MCP prompt; always a text. */
export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  /** Values that clients may offer. */
  readonly values?: readonly string[] | undefined;
}

/** An MCP prompt that the host writes itself. Prompts of the application are listed directly. */
export interface McpPrompt {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly arguments?: readonly McpPromptArgument[] | undefined;
  /** @param args the arguments of the client, including all required ones */
  messages(args: Readonly<Record<string, string>>, client: McpClient): Awaitable<readonly PromptMessage[]>;
}
