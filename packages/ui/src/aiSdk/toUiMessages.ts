import type { ContentPart, Message } from 'toolwright';
import type { HistoryEntry } from 'toolwright/conversations';
import { messageIdOf } from '../chats/UserChats.js';
import { UiChunkWriter, type UiChunkOptions } from './UiChunkWriter.js';
import type { UiChunk } from './uiChunks.js';

/** A message in the form of the AI SDK; `UIMessage` of `ai` is the same with types for its parts. */
export interface UiMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly Readonly<Record<string, unknown>>[];
  readonly metadata?: unknown;
}

/**
 * Returns the messages of a conversation, as a client has them that has read all its streams.
 *
 * @param entries of the conversation, from the first one
 */
export function toUiMessages(
  entries: readonly HistoryEntry[],
  options: Omit<UiChunkOptions, 'run'>,
): readonly UiMessage[] {
  const messages: UiMessage[] = [];
  let fold: { readonly message: UiMessageFold; readonly writer: UiChunkWriter } | undefined;
  for (const entry of entries) {
    if (entry.kind === 'run') {
      const { run } = entry;
      messages.push(...entry.messages.flatMap((message, index) => toUserMessage(idOf(run, index), message)));
      fold = { message: new UiMessageFold(run), writer: new UiChunkWriter({ ...options, run }) };
      messages.push(fold.message);
    } else if (fold !== undefined) fold.message.add(fold.writer.write(entry));
  }
  // A run that has not said anything yet has no message.
  return messages
    .filter(({ parts }) => parts.length > 0)
    .map(({ id, role, parts, metadata }) => ({ id, role, parts, ...(metadata === undefined ? {} : { metadata }) }));
}

/** A message that was sent before its run began stands behind the first one. */
function idOf(run: string, index: number): string {
  return index === 0 ? messageIdOf(run) : `${messageIdOf(run)}.${String(index)}`;
}

function toUserMessage(id: string, message: Message): readonly UiMessage[] {
  if (message.role !== 'user' || message.note !== undefined) return [];
  const { content, parts = [] } = message;
  const texts = content === '' ? [] : [{ type: 'text', text: content }];
  return [{ id, role: 'user', parts: [...texts, ...parts.map(toUserPart)] }];
}

function toUserPart(part: ContentPart): Readonly<Record<string, unknown>> {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  const { mediaType, url, data } = part;
  const name = part.kind === 'file' && part.name !== undefined ? { filename: part.name } : {};
  return { type: 'file', mediaType, url: url ?? `data:${mediaType};base64,${data}`, ...name };
}

type Part = Record<string, unknown>;

/** Adds chunks to a message as a client does. */
class UiMessageFold implements UiMessage {
  readonly id: string;
  readonly role = 'assistant';
  readonly parts: Part[] = [];
  metadata: unknown;

  constructor(id: string) {
    this.id = id;
  }

  add(chunks: readonly UiChunk[]): void {
    for (const chunk of chunks) this.#add(chunk);
  }

  #add(chunk: UiChunk): void {
    switch (chunk.type) {
      case 'start-step':
        this.parts.push({ type: 'step-start' });
        return;
      case 'text-start':
      case 'reasoning-start':
        this.parts.push({ type: chunk.type === 'text-start' ? 'text' : 'reasoning', text: '', state: 'done' });
        return;
      case 'text-delta':
      case 'reasoning-delta': {
        const part = this.parts.at(-1);
        if (part !== undefined) part.text = String(part.text) + chunk.delta;
        return;
      }
      case 'tool-input-available': {
        const { toolCallId, toolName, input, dynamic } = chunk;
        const type = dynamic === true ? { type: 'dynamic-tool', toolName } : { type: `tool-${toolName}` };
        this.#change(toolCallId, { state: 'input-available', input }, { ...type, toolCallId });
        return;
      }
      case 'tool-approval-request': {
        const { toolCallId, approvalId: id, approvalDescriptor: descriptor, signature } = chunk;
        const approval = {
          id,
          ...(descriptor === undefined ? {} : { descriptor }),
          ...(signature === undefined ? {} : { signature }),
        };
        this.#change(toolCallId, { state: 'approval-requested', approval });
        return;
      }
      case 'tool-output-available':
        this.#change(chunk.toolCallId, { state: 'output-available', output: chunk.output });
        return;
      case 'tool-output-error':
        this.#change(chunk.toolCallId, { state: 'output-error', errorText: chunk.errorText });
        return;
      case 'tool-output-denied':
        this.#change(chunk.toolCallId, { state: 'output-denied' });
        return;
      case 'file':
        this.parts.push({ type: 'file', url: chunk.url, mediaType: chunk.mediaType });
        return;
      case 'finish':
        this.metadata = chunk.messageMetadata;
        return;
      default:
        if (chunk.type.startsWith('data-') || chunk.type === 'steering-message') this.parts.push({ ...chunk });
    }
  }

  /** Changes the part of a call. @param head of a part that is not there yet */
  #change(toolCallId: string, changes: Part, head?: Part): void {
    const part = this.parts.find((each) => each.toolCallId === toolCallId);
    if (part !== undefined) Object.assign(part, changes);
    else if (head !== undefined) this.parts.push({ ...head, ...changes });
  }
}
