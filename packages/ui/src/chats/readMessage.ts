import { filetypemime } from 'magic-bytes.js';
import type { ContentPart } from 'toolwright';
import { ensureWellFormed } from 'toolwright/internal';
import { HttpProblem } from '../http/HttpProblem.js';
import { DEFAULT_FILE_BYTES, DEFAULT_FILES, DEFAULT_TEXT_CHARS, MAX_ID_CHARS, MAX_MESSAGE_PARTS } from '../limits.js';
import type { ChatLimits, ChatMessage } from './ChatOptions.js';

/** Media types of files that a user may send by default. */
const DEFAULT_MEDIA_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
  'text/plain',
];

/** A file of a message, before its bytes were looked at. */
export interface GivenFile {
  readonly mediaType: string;
  /** The bytes as base64. */
  readonly data: string;
  readonly name?: string | undefined;
}

/** The texts and files of a message in the form of a client. */
export interface GivenMessage {
  readonly id: string;
  readonly texts: readonly string[];
  readonly files: readonly GivenFile[];
}

/** Limits of a message. */
export interface MessageRules {
  readonly limits?: ChatLimits | undefined;
  readonly mediaTypes?: readonly string[] | undefined;
}

/**
 * Checks the message of a user, and returns it in the form of a run.
 *
 * @throws HttpProblem 400 for an empty message or a file of another type than it says, 413, 415
 */
export function checkMessage(given: GivenMessage, { limits = {}, mediaTypes }: MessageRules): ChatMessage {
  const { textChars = DEFAULT_TEXT_CHARS, files: maxFiles = DEFAULT_FILES, fileBytes = DEFAULT_FILE_BYTES } = limits;
  const { id, texts, files } = given;
  const text = texts.join('\n');
  if (text.length > textChars)
    throw new HttpProblem(413, `The message is too long: ${String(textChars)} characters are accepted.`);
  if (text.trim() === '' && files.length === 0) throw new HttpProblem(400, 'The message is empty.');
  if (files.length > maxFiles) throw new HttpProblem(413, `Too many files: ${String(maxFiles)} are accepted.`);
  const accepted = mediaTypes ?? DEFAULT_MEDIA_TYPES;
  const parts: ContentPart[] = [];
  for (const file of files) parts.push(checkFile(file, accepted, fileBytes));
  return { id, text: ensureWellFormed(text), parts };
}

/** Returns an id that a client has chosen. @param what names it in the refusal @throws HttpProblem 400 */
export function requireClientId(what: string, id: unknown): string {
  const isUsable = typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARS && ensureWellFormed(id) === id;
  // The id becomes a part of the id of a run, behind a slash.
  if (isUsable && !/[\u0000-\u001f/]/.test(id) && id !== '.' && id !== '..') return id;
  const form = `a text of at most ${String(MAX_ID_CHARS)} characters without slashes and control characters`;
  throw new HttpProblem(400, `The id of ${what} has to be ${form}.`);
}

/** Returns a text of a request. @param name names it in the refusal @throws HttpProblem 400 */
export function requireText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new HttpProblem(400, `${name} has to be a text.`);
}

/** Returns a list of a client's message. @throws HttpProblem 400, 413 */
export function requireParts(parts: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(parts)) throw new HttpProblem(400, 'The parts of the message have to be a list.');
  if (parts.length > MAX_MESSAGE_PARTS)
    throw new HttpProblem(413, `The message has too many parts: ${String(MAX_MESSAGE_PARTS)} are accepted.`);
  return parts.map((part: unknown) => {
    if (typeof part === 'object' && part !== null) return part as Readonly<Record<string, unknown>>;
    throw new HttpProblem(400, 'Each part of the message has to be an object.');
  });
}

/** Reads the data URL of a file. Other addresses are refused, because the server would have to fetch them. @throws HttpProblem 400 */
export function readDataUrl(url: unknown): Pick<GivenFile, 'mediaType' | 'data'> {
  const match = typeof url === 'string' ? /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.-]+)*;base64,/i.exec(url) : null;
  if (match === null) throw new HttpProblem(400, 'A file has to be sent as a data URL with base64.');
  const [head, mediaType = ''] = match;
  return { mediaType: mediaType.toLowerCase(), data: (url as string).slice(head.length) };
}

function checkFile({ mediaType, data, name }: GivenFile, accepted: readonly string[], maxBytes: number): ContentPart {
  const label = name === undefined ? 'The file' : `The file ${JSON.stringify(name)}`;
  if (!accepted.includes(mediaType))
    throw new HttpProblem(415, `${label} is of the type ${mediaType}; accepted: ${accepted.join(', ')}.`);
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > maxBytes)
    throw new HttpProblem(413, `${label} is too large: ${String(maxBytes)} bytes are accepted.`);
  if (bytes.length === 0 || !isBase64(data)) throw new HttpProblem(400, `${label} is empty or damaged.`);
  if (!hasType(bytes, mediaType)) throw new HttpProblem(400, `${label} is not of the type ${mediaType}.`);
  const [kind] = mediaType.split('/');
  if (kind === 'image' || kind === 'audio') return { kind, mediaType, data };
  return { kind: 'file', mediaType, data, ...(name === undefined ? {} : { name }) };
}

/** `Buffer.from` skips whatever is not base64. */
function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}

/** Compares the first bytes of a file with its type. Text has no signature: it is text if it decodes, and has no zero bytes. */
function hasType(bytes: Uint8Array, mediaType: string): boolean {
  const found = filetypemime(bytes);
  if (!mediaType.startsWith('text/')) return found.includes(mediaType);
  if (found.length > 0) return false;
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\u0000');
  } catch {
    return false;
  }
}
