import type { Message } from 'toolwright';
import { type OptionNames, requireOptionNames } from 'toolwright/internal';
import { McpBridgeError, McpCallError } from './mcpErrors.js';
import { MAX_PROMPT_DESCRIPTION_CHARS } from '../limits.js';
import { blocksOf, formatBlock, partsOf } from './answerValue.js';
import { askServer } from './askServer.js';
import type { McpConnectionSource } from './McpConnection.js';
import { sanitizeText } from './sanitizeText.js';

/** A prompt of a server, for `app.evaluate(prompt, { messages })`. */
export interface RemotePrompt {
  /** The description; empty if the server does not send one. */
  readonly description: string;
  readonly messages: readonly Extract<Message, { readonly role: 'user' | 'assistant' }>[];
}

/** Limits of a request for a prompt. */
export interface RemotePromptOptions {
  /** Milliseconds that the request may take; 60,000 when left out. */
  readonly callTimeoutMs?: number | undefined;
  /** The most bytes of the prompt; 1 MiB when left out. */
  readonly maxResultBytes?: number | undefined;
}

const optionNames: OptionNames<RemotePromptOptions> = { callTimeoutMs: 1, maxResultBytes: 1 };

/**
 * Gets a prompt of a server. Trust its texts only as far as the server: they become messages of the user or the assistant, never of
 * the system.
 *
 * @param args texts by the names of the prompt's arguments
 * @throws McpBridgeError E684 for a prompt or arguments that the server does not know, E685, E686;
 * PromptError E413 for an unknown option
 * @example
 * const { messages } = await getMcpPrompt(client, 'summarise', { style: 'short' });
 * await app.evaluate(app.prompt(Desk), { adapter, messages });
 */
export async function getMcpPrompt(
  client: McpConnectionSource,
  name: string,
  args: Readonly<Record<string, string>> = {},
  options: RemotePromptOptions = {},
): Promise<RemotePrompt> {
  requireOptionNames('getMcpPrompt', options, optionNames);
  const { callTimeoutMs = 60_000, maxResultBytes = 1_048_576 } = options;
  const question = { method: 'prompts/get', params: { name, arguments: { ...args } } };
  const limits = { timeoutMs: callTimeoutMs, maxBytes: maxResultBytes };
  const { description, messages } = await askServer(client, question, limits).catch((error: unknown) => {
    throw error instanceof McpCallError
      ? new McpBridgeError(error.message, { code: error.code, place: 'getMcpPrompt', cause: error })
      : error;
  });
  if (!Array.isArray(messages)) throw createMalformedError('it holds no messages');
  return {
    description: typeof description === 'string' ? sanitizeText(description, MAX_PROMPT_DESCRIPTION_CHARS) : '',
    messages: (messages as readonly unknown[]).map(messageOf),
  };
}

function messageOf(given: unknown): RemotePrompt['messages'][number] {
  const { role, content } = Object(given) as Readonly<Record<string, unknown>>;
  if (role !== 'user' && role !== 'assistant')
    throw createMalformedError('a message is neither of the user nor of the assistant');
  const parts = role === 'user' ? partsOf(blocksOf([content])) : [];
  return { role, content: formatBlock(content), ...(parts.length === 0 ? {} : { parts }) };
}

function createMalformedError(problem: string): McpBridgeError {
  return new McpBridgeError(`the prompt does not follow the protocol: ${problem}`, {
    code: 'E686',
    place: 'getMcpPrompt',
  });
}
