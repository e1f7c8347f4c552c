import type { PromptMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Awaitable } from 'toolwright/types';
import type { McpClient } from './McpClient.js';

/** An argument of an MCP prompt. Its value is always a text. */
export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  /** Values that clients may suggest. */
  readonly values?: readonly string[] | undefined;
}

/** An MCP prompt that the host writes itself. Prompts of the application are listed directly. */
export interface McpPrompt {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly arguments?: readonly McpPromptArgument[] | undefined;
  /** Returns the messages of the prompt. @param args the client's arguments, including all required ones */
  messages(args: Readonly<Record<string, string>>, client: McpClient): Awaitable<readonly PromptMessage[]>;
}
