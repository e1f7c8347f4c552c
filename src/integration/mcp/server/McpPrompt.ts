import type { PromptMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Awaitable } from '../../../common/types.js';
import type { McpClient } from './McpClient.js';

/** An argument of an MCP prompt; always a text. */
export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  /** Values that clients may offer. */
  readonly values?: readonly string[] | undefined;
}

/** An MCP prompt that the host writes by itself. Prompts of the application need none: list them as they are. */
export interface McpPrompt {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly arguments?: readonly McpPromptArgument[] | undefined;
  /** @param args those that were given; the required ones are there */
  messages(args: Readonly<Record<string, string>>, client: McpClient): Awaitable<readonly PromptMessage[]>;
}
