import { describeValue, isRecord } from 'toolwright/internal/light';
import {
  type GivenFile,
  type GivenMessage,
  readDataUrl,
  requireClientId,
  requireParts,
  requireText,
} from '../chats/readMessage.js';
import { HttpProblem } from '../http/HttpProblem.js';
import type { AgUiGeneration } from './agUiEvents.js';

type Data = Readonly<Record<string, unknown>>;

/** The answer of a person to an interrupt, before its question is known. */
export interface InterruptAnswer {
  /** `cancelled`: the person closed the question without an answer. */
  readonly status: 'resolved' | 'cancelled';
  readonly payload: Data;
  /** Of the description that the person saw. */
  readonly seen: string | undefined;
}

/**
 * The input of one request of AG-UI. Of the history that it sends, only the last message is read, and only if it is the user's. `tools`,
 * `context` and `state` of the client are not believed either; the host gets them as `body` of `input` (docs/ui.md).
 */
export interface AgUiInput {
  readonly thread: string;
  readonly request: string;
  readonly generation: AgUiGeneration;
  /** Undefined if the last message is not the user's. */
  readonly message: GivenMessage | undefined;
  /** By the id of the question. */
  readonly answers: ReadonlyMap<string, InterruptAnswer>;
  /** AG-UI has no word for these: a client says them in `forwardedProps`. */
  readonly change:
    { readonly kind: 'edit' } | { readonly kind: 'regenerate'; readonly answer: string | undefined } | undefined;
}

/**
 * Reads the body of a request of AG-UI: `{ threadId, runId, protocolVersion?, messages, tools, context, state?, forwardedProps, resume? }`.
 *
 * @throws HttpProblem 400, 413
 */
export function readAgUiInput(body: Data): AgUiInput {
  const { messages = [], resume = [] } = body;
  if (!Array.isArray(messages)) throw new HttpProblem(400, 'messages has to be a list.');
  if (!Array.isArray(resume)) throw new HttpProblem(400, 'resume has to be a list.');
  const last: unknown = messages.at(-1);
  return {
    thread: requireClientId('the thread', body.threadId),
    request: requireClientId('the run', body.runId),
    generation: readGeneration(body.protocolVersion),
    message: isRecord(last) && last.role === 'user' ? readUserMessage(last) : undefined,
    answers: readAnswers(resume),
    change: readChange(body.forwardedProps),
  };
}

/** Returns the generation of a client. @param version as it names its protocol; nothing before 1.0 */
export function readGeneration(version: unknown): AgUiGeneration {
  return typeof version === 'string' && /^1\.\d+$/.test(version) ? '1.0' : 'legacy';
}

function readUserMessage({ id, content }: Data): GivenMessage {
  const texts: string[] = [];
  const files: GivenFile[] = [];
  for (const part of typeof content === 'string' ? [{ type: 'text', text: content }] : requireParts(content))
    if (part.type === 'text') texts.push(requireText('the text of a part', part.text));
    else files.push(readFile(part));
  return { id: requireClientId('the message', id), texts, files };
}

/** Reads a picture, a sound or a document; clients of the first versions send all of them as `binary`. */
function readFile({ type, source, mimeType, data, url, filename, metadata }: Data): GivenFile {
  const name = isRecord(metadata) ? metadata.filename : filename;
  const named = typeof name === 'string' ? { name } : {};
  const given =
    type === 'binary' ? { mimeType, value: data ?? url, type: data === undefined ? 'url' : 'data' } : source;
  if (!isRecord(given))
    throw new HttpProblem(400, `Messages of users have no parts of the type ${describeValue(type)}.`);
  if (given.type !== 'data') return { ...readDataUrl(given.value), ...named };
  const mediaType = requireText('the type of a file', given.mimeType).toLowerCase();
  return { mediaType, data: requireText('the bytes of a file', given.value), ...named };
}

function readAnswers(resume: readonly unknown[]): AgUiInput['answers'] {
  const answers = new Map<string, InterruptAnswer>();
  for (const entry of resume) {
    if (!isRecord(entry)) throw new HttpProblem(400, 'Each entry of resume has to be an object.');
    const { interruptId, status, payload, metadata } = entry;
    const id = requireText('interruptId', interruptId);
    if (status !== 'resolved' && status !== 'cancelled')
      throw new HttpProblem(400, 'The status of an answer has to be resolved or cancelled.');
    if (answers.has(id)) throw new HttpProblem(400, 'resume has two answers to one interrupt.');
    const data = isRecord(payload) ? payload : {};
    const seen = data.seen ?? (isRecord(metadata) ? metadata.seen : undefined);
    answers.set(id, { status, payload: data, seen: typeof seen === 'string' ? seen : undefined });
  }
  return answers;
}

function readChange(forwarded: unknown): AgUiInput['change'] {
  if (!isRecord(forwarded)) return undefined;
  // A page of assistant-ui can only fill `runConfig`.
  const { trigger, messageId } =
    forwarded.trigger === undefined && isRecord(forwarded.runConfig) ? forwarded.runConfig : forwarded;
  if (trigger === 'edit') return { kind: 'edit' };
  if (trigger !== 'regenerate') return undefined;
  return { kind: 'regenerate', answer: messageId === undefined ? undefined : requireText('messageId', messageId) };
}
