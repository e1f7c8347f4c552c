import type { Anthropic } from '@anthropic-ai/sdk';
import type { Message, ToolCall } from 'toolwright';
import type { NativeContent } from 'toolwright/adapters';
import {
  readCallInput,
  type JoinedPieces,
  joinPieces,
  makeLegalName,
  readPieces,
  wrapBridgeCall,
  removeParts,
} from 'toolwright/internal';
import { type Fields, isRecord } from 'toolwright/internal/light';
import { writeTexts } from './writePartBlocks.js';

type Block = Anthropic.Beta.Messages.BetaContentBlockParam;

/** The provider's name in native content of a conversation. */
export const PROVIDER = 'anthropic';

const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Writes an answer of the model for the next request. Content of the provider goes back complete, unchanged and in order, because
 * signatures are bound to it. A call is written from the conversation only if its native form is missing or illegal.
 *
 * @param ids the ids of its calls as they are sent
 * @returns its blocks, and the positions at which the provider paused. No blocks for an answer without content: the provider refuses
 * blank messages
 */
export function writeAssistantBlocks(
  { content, native, toolCalls = [] }: Extract<Message, { role: 'assistant' }>,
  ids: readonly string[],
): JoinedPieces<Block> {
  const calls = toolCalls.map((call, index) => ({ call, id: ids[index] ?? '' }));
  if (native?.provider !== PROVIDER)
    return { parts: [...writeTexts(content), ...calls.map(({ call, id }) => writeToolUse(call, id))], pauses: [] };
  const left = [...calls];
  const written = (block: Fields): readonly Block[] => {
    if (block['type'] !== 'tool_use') return [block as unknown as Block];
    const made = left.shift();
    // The call is not in the conversation, so it has no result, and the provider would refuse the request.
    if (made === undefined) return [];
    const { call, id } = made;
    return [isLegal(block, call, id) ? (block as unknown as Block) : { ...block, ...writeToolUse(call, id) }];
  };
  const pieces = readPieces(native).map((piece: readonly unknown[]) => piece.filter(isRecord).flatMap(written));
  const answer = joinPieces(pieces);
  const parts = [...answer.parts, ...left.map(({ call, id }) => writeToolUse(call, id))];
  return parts.every(isBlank) ? joinPieces<Block>([]) : { ...answer, parts };
}

/** Returns an answer without its thinking: the same object if it has none; undefined for another provider, or if nothing is left. */
export function removeThinking(native: NativeContent): NativeContent | undefined {
  if (native.provider !== PROVIDER) return undefined;
  return removeParts(native, (block) => isRecord(block) && THINKING.has(block['type']));
}

const THINKING: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

/** Returns true for text without a visible character. */
export function isBlank(block: unknown): boolean {
  return isRecord(block) && block['type'] === 'text' && String(block['text']).trim() === '';
}

/** Returns true if a call can be sent back unchanged: its id leads to its result, and the provider accepts its name and input. */
function isLegal({ id, name, input }: Fields, call: ToolCall, sent: string): boolean {
  return id === sent && id === call.id && typeof name === 'string' && LEGAL_NAME.test(name) && isRecord(input);
}

function writeToolUse(made: ToolCall, id: string): Anthropic.Messages.ToolUseBlockParam {
  const { name, arguments: given } = wrapBridgeCall(made);
  return { type: 'tool_use', id, name: makeLegalName(name), input: readCallInput(given) };
}
