import { describeValue } from 'toolwright/internal/light';
import type { QuestionReply } from 'toolwright/conversations';
import {
  type GivenFile,
  type GivenMessage,
  readDataUrl,
  requireClientId,
  requireParts,
  requireText,
} from '../chats/readMessage.js';
import { readDecision } from '../chats/readDecision.js';
import { HttpProblem } from '../http/HttpProblem.js';

type Data = Readonly<Record<string, unknown>>;

/** The purpose of a request of the AI SDK's client. Of the history that it sends, only the last message is read. */
export type UiRequest = { readonly chat: string } & (
  | { readonly kind: 'submit' | 'edit'; readonly message: GivenMessage }
  /** `answer`: the id of the message to write anew; the last one when undefined. */
  | { readonly kind: 'regenerate'; readonly answer: string | undefined }
  | { readonly kind: 'answer'; readonly run: string; readonly decisions: ReadonlyMap<string, QuestionReply> }
);

/**
 * Reads the body of a request of `useChat`: `{ id, messages, trigger, messageId? }`, or `{ id, message }`.
 *
 * @throws HttpProblem 400, 413
 */
export function readUiRequest(body: Data): UiRequest {
  const chat = requireClientId('the chat', body.id);
  const { trigger = 'submit-message' } = body;
  const messageId = body.messageId ?? undefined;
  if (trigger === 'regenerate-message') {
    const answer = messageId === undefined ? undefined : requireText('messageId', messageId);
    return { chat, kind: 'regenerate', answer };
  }
  if (trigger !== 'submit-message')
    throw new HttpProblem(400, 'The trigger has to be submit-message or regenerate-message.');
  const last = readLastMessage(body);
  if (last.role === 'assistant') return { chat, kind: 'answer', ...readDecisions(last, body) };
  if (last.role !== 'user') throw new HttpProblem(400, 'The last message has to be of the user or the assistant.');
  const message = readUserMessage(last);
  return { chat, kind: messageId === undefined ? 'submit' : 'edit', message };
}

function readLastMessage({ message, messages }: Data): Data {
  const last: unknown = message ?? (Array.isArray(messages) ? messages.at(-1) : undefined);
  if (typeof last === 'object' && last !== null) return last as Data;
  throw new HttpProblem(400, 'The body has no message: send messages, or the new message as message.');
}

function readUserMessage({ id, parts }: Data): GivenMessage {
  const texts: string[] = [];
  const files: GivenFile[] = [];
  for (const part of requireParts(parts))
    if (part.type === 'text') texts.push(requireText('the text of a part', part.text));
    else if (part.type === 'file') files.push(readFile(part));
    else
      throw new HttpProblem(
        400,
        `Messages of users have parts of the types text and file, not ${describeValue(part.type)}.`,
      );
  return { id: requireClientId('the message', id), texts, files };
}

function readFile({ url, mediaType, filename }: Data): GivenFile {
  const file = readDataUrl(url);
  if (mediaType !== undefined && mediaType !== file.mediaType)
    throw new HttpProblem(400, `A file says ${JSON.stringify(mediaType)} but is sent as ${file.mediaType}.`);
  return { ...file, ...(typeof filename === 'string' ? { name: filename } : {}) };
}

/**
 * Reads the decisions in a message of the assistant.
 *
 * @param body may name, by the id of the question, `edits`: arguments that the person wrote instead of the model's
 */
function readDecisions(
  { id, parts }: Data,
  { edits }: Data,
): Pick<UiRequest & { kind: 'answer' }, 'run' | 'decisions'> {
  const decisions = new Map<string, QuestionReply>();
  for (const { state, approval } of requireParts(parts)) {
    if (state !== 'approval-responded' || typeof approval !== 'object' || approval === null) continue;
    const { id: question, approved, reason, signature } = approval as Data;
    if (typeof question !== 'string' || typeof approved !== 'boolean')
      throw new HttpProblem(400, 'A decision has to name its question by id, and say approved: true or false.');
    const edited = typeof edits === 'object' && edits !== null ? (edits as Data)[question] : undefined;
    // The signature stands for the change that the model's own arguments would make.
    const seen = edited === undefined ? signature : undefined;
    decisions.set(question, readDecision({ approved, reason, seen, arguments: edited }));
  }
  return { run: requireText('the id of the message', id), decisions };
}
