import type { Anthropic } from '@anthropic-ai/sdk';
import { CallIds } from '../../provider/CallIds.js';
import { isFields } from '../../provider/fields.js';
import { inputOf } from '../../provider/inputOf.js';
import { legalName } from '../../provider/refuseTools.js';
import type { Message } from '../../value/Message.js';
import type { NativeContent } from '../../value/NativeContent.js';
import type { ToolCall } from '../../value/ToolCall.js';

type Block = Anthropic.Messages.ContentBlockParam;
type TextBlock = Anthropic.Messages.TextBlockParam;

/** The provider's name in native content of a conversation. */
export const PROVIDER = 'anthropic';

/** The provider requires a user message first; a run may begin with its prompt alone. */
const OPENING = 'Begin.';

/** A message whose blocks can still be marked. */
interface MessageBlocks {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

/** A conversation in the form of a Messages request. */
export interface MessageParams {
  /** The system messages before the first message. */
  readonly system: TextBlock[];
  readonly messages: MessageBlocks[];
}

/**
 * Writes a conversation in the form of a Messages request: roles alternate, the results of a turn's calls are together at the
 * beginning of one message, and no text is blank (docs/contract.md, 16).
 */
export function messageParams(conversation: readonly Message[]): MessageParams {
  const ids = new CallIds(legalId);
  const messages: MessageBlocks[] = [];
  const begun = conversation.findIndex(({ role }) => role !== 'system');
  const first = begun < 0 ? conversation.length : begun;
  for (const message of conversation.slice(first)) {
    const { role, content } = blocksOf(message, ids);
    if (content.length === 0) continue;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content: [...content] });
  }
  if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', content: [{ type: 'text', text: OPENING }] });
  return { system: conversation.slice(0, first).flatMap(({ content }) => texts(content)), messages };
}

function blocksOf(message: Message, ids: CallIds): MessageBlocks {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: 'user', content: texts(message.content) };
    case 'assistant': {
      const { toolCalls = [] } = message;
      const sent = ids.begin(toolCalls.map(({ id }) => id));
      const calls = toolCalls.map((call, index) => toolUse(call, sent[index] ?? ''));
      return { role: 'assistant', content: assistantBlocks(message, calls) };
    }
    case 'tool':
      return { role: 'user', content: [toolResult(message, ids.answered(message.toolCallId))] };
  }
}

function assistantBlocks(
  { content, native }: Extract<Message, { role: 'assistant' }>,
  calls: readonly Block[],
): Block[] {
  if (native?.provider !== PROVIDER) return [...texts(content), ...calls];
  return nativeBlocks(native, [...calls]);
}

/** Returns the blocks unchanged, so that signatures stay valid; calls are taken from the conversation. */
function nativeBlocks({ content }: NativeContent, calls: Block[]): Block[] {
  return content.flatMap((block) => {
    if (!isFields(block)) return [];
    if (block['type'] === 'tool_use') return calls.splice(0, 1);
    if (block['type'] === 'text' && typeof block['text'] === 'string' && block['text'].trim() === '') return [];
    return [block as unknown as Block];
  });
}

/** Leaves out blank text, which the provider refuses. */
function texts(text: string | null): TextBlock[] {
  return text === null || text.trim() === '' ? [] : [{ type: 'text', text }];
}

function toolUse({ name, arguments: given }: ToolCall, id: string): Block {
  return { type: 'tool_use', id, name: legalName(name), input: inputOf(given) };
}

function toolResult(
  { toolCallId, content, failed }: Extract<Message, { role: 'tool' }>,
  id: string | undefined,
): Block {
  const text = content.trim() === '' ? '' : content;
  return {
    type: 'tool_result',
    tool_use_id: id ?? legalId(toolCallId),
    // The provider refuses a failure without text.
    ...(text === '' && !failed ? {} : { content: text === '' ? 'The tool failed.' : text }),
    ...(failed ? { is_error: true } : {}),
  };
}

function legalId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
}
