import type { Anthropic } from '@anthropic-ai/sdk';
import { PromptEvaluationError } from 'toolwright';
import { isRecord } from 'toolwright/internal/light';
import { TOOL_CHANGES } from './decideMeans.js';

type MessageRequest = Anthropic.Messages.MessageCreateParamsNonStreaming;
type StreamedMessageRequest = Anthropic.Messages.MessageCreateParamsStreaming;
type BetaRequest = Anthropic.Beta.Messages.MessageCreateParamsNonStreaming;
type StreamedBetaRequest = Anthropic.Beta.Messages.MessageCreateParamsStreaming;

interface SendOptions {
  readonly signal: AbortSignal;
  readonly maxRetries: number;
}

/**
 * The parts of the official client that are used: an `Anthropic`, or a wrapper around one. Structural, because the package
 * declares its classes twice, for `import` and for `require`, and the two are not compatible.
 */
export interface AnthropicClient {
  /** Read only to keep it out of errors. */
  readonly apiKey?: unknown;
  readonly messages: {
    create(body: MessageRequest | StreamedMessageRequest, options: SendOptions): PromiseLike<unknown>;
  };
  /** Used for requests that need a beta, such as tools that come and go in a conversation. */
  readonly beta?:
    | {
        readonly messages: {
          create(body: BetaRequest | StreamedBetaRequest, options: SendOptions): PromiseLike<unknown>;
        };
      }
    | undefined;
}

export type SentBody = Omit<BetaRequest, 'stream'> & { readonly stream?: true };

/**
 * Sends a request through the client; only a request that needs a beta goes through its methods for betas.
 *
 * @throws PromptEvaluationError with phase `request` if the request needs a beta that the client cannot send
 */
export function sendBody(
  adapter: string,
  client: AnthropicClient,
  body: SentBody,
  options: SendOptions,
): PromiseLike<unknown> {
  const { betas = [], ...stable } = body;
  if (betas.length === 0) return client.messages.create(stable as MessageRequest | StreamedMessageRequest, options);
  if (client.beta !== undefined) return client.beta.messages.create(body, options);
  const isChanging = betas.includes(TOOL_CHANGES);
  throw new PromptEvaluationError(`${adapter} needs ${betas.join(', ')}, and its client has no beta.messages.`, {
    phase: 'request',
    remedy: isChanging
      ? 'The conversation began with a client that can change tools: continue it with one, or begin a new conversation.'
      : 'Give the adapter a client with beta.messages, or leave out the parameters that need a beta.',
  });
}

/**
 * Returns the error of a provider that refuses messages that offer or withdraw tools; any other failure is returned unchanged.
 */
export function toRequestError(adapter: string, failure: unknown, { betas = [] }: SentBody): unknown {
  if (!betas.includes(TOOL_CHANGES) || !(failure instanceof PromptEvaluationError)) return failure;
  const { cause, message } = failure;
  const isRefused = isRecord(cause) && cause['status'] === 400;
  if (!isRefused || !/tool_addition|tool_removal|mid-conversation-tool-changes|role.{0,12}system/i.test(message)) {
    return failure;
  }
  return new PromptEvaluationError(`${adapter} takes no tools that come and go in a conversation: ${message}`, {
    phase: 'request',
    remedy: 'Create the adapter with toolChanges: false, and begin a new conversation: this one keeps how it began.',
    cause: failure,
  });
}
