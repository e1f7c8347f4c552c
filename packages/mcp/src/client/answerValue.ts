import type { ContentPart } from 'toolwright';
import { measureBytes, findTextExcess, MAX_PARTS, findPartsProblem, findPrototypeKey } from 'toolwright/internal';
import { isObject, isRecord } from 'toolwright/internal/light';
import { MAX_ANSWER_LEVELS, MAX_ANSWER_VALUES, MAX_FAILURE_CHARS } from '../limits.js';
import { sanitizeText } from './sanitizeText.js';

/** One content block of an answer, as the server sent it. */
type Block = Readonly<Record<string, unknown>>;

/** Media types that models can read. A provider refuses a whole request because of a file of another type. */
const DOCUMENTS = /^(?:application\/pdf|text\/[a-z0-9.+-]+)$/;

/** Returns the content blocks of a tool's answer. */
export function blocksOf(content: unknown): readonly Block[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly unknown[]).filter((block): block is Block => isRecord(block));
}

/** Returns the value of a list of blocks: the value of the only one, or a list of all. */
export function valueOf(blocks: readonly Block[]): unknown {
  const values = blocks.map(toBlockValue);
  return values.length === 1 ? values[0] : addModelText(values, values.map(textOf).join('\n\n'));
}

/** Returns a text that is JSON as data, any other text unchanged. */
export function parseTextValue(text: string): unknown {
  // Such data would be refused as an answer; a text is not.
  if (findTextExcess(text, { values: MAX_ANSWER_VALUES, depth: MAX_ANSWER_LEVELS }) !== undefined) return text;
  if (!/^\s*(?:[[{"\-\d]|true\s*$|false\s*$|null\s*$)/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    // A number with too many digits would change its value.
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return text;
    // Code that assigns such keys could change a prototype.
    return findPrototypeKey({}, value) === undefined ? value : text;
  } catch {
    return text;
  }
}

/** Returns one block as text: its text, or a description. */
export function formatBlock(given: unknown): string {
  const [block = {}] = blocksOf([given]);
  const { text, resource } = block;
  const inner = (resource as { readonly text?: unknown } | undefined)?.text;
  const own = [text, inner].find((each) => typeof each === 'string');
  return typeof own === 'string' ? own : textOf(toBlockValue(block));
}

/** Returns a server's own message about a failure. */
export function formatFailure(blocks: readonly Block[]): string {
  const texts = blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const content = sanitizeText(texts.join('\n'), MAX_FAILURE_CHARS);
  return content === '' ? 'The tool failed, and its server does not say why.' : content;
}

/** Returns the images, sounds and documents of an answer. Blocks that models cannot get are only described in the value. */
export function partsOf(blocks: readonly Block[]): readonly ContentPart[] {
  return blocks.flatMap((block) => partOf(block) ?? []).slice(0, MAX_PARTS);
}

function partOf({ type, data, mimeType, resource }: Block): ContentPart | undefined {
  const inner = (type === 'resource' ? (resource ?? {}) : { blob: data, mimeType }) as Block;
  // Providers do not use the parameters of a media type.
  const mediaType =
    typeof inner['mimeType'] === 'string' ? inner['mimeType'].split(';', 1).join('').trim().toLowerCase() : '';
  const kind = DOCUMENTS.test(mediaType) ? 'file' : mediaType.split('/', 1).join('');
  const isTaken = type === 'resource' ? ['image', 'audio', 'file'].includes(kind) : type === kind && kind !== 'file';
  const part = { kind, mediaType, data: inner['blob'] };
  return isTaken && findPartsProblem([part], Infinity) === undefined ? (part as ContentPart) : undefined;
}

function toBlockValue(block: Block): unknown {
  const { type, text, resource, data } = block;
  if (type === 'text' && typeof text === 'string') return parseTextValue(text);
  if (type === 'resource' && isObject(resource)) return toResourceValue(resource as Block);
  const value = { ...removeClientFields({ ...block, data: undefined }), ...sizeOf(data) };
  return addModelText(value, `[${wordOf(type)} ${wordOf(block['mimeType'])}${formatSize(data)}]`);
}

/** Returns the value of a resource: its text, or the metadata of its bytes. `partsOf` returns the bytes. */
export function toResourceValue(contents: Block): unknown {
  const { text, blob, uri, mimeType } = contents;
  if (typeof text === 'string') return parseTextValue(text);
  const value = { type: 'resource', ...removeClientFields({ uri, mimeType }), ...sizeOf(blob) };
  return addModelText(value, `[resource ${wordOf(uri)}${formatSize(blob)}]`);
}

/** Removes the fields that are for clients only. */
function removeClientFields({ annotations: _hints, _meta, icons: _icons, ...block }: Block): Block {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== undefined));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  // JSON cannot hold functions, so this one is from `addModelText`.
  const own = (value as { readonly render?: unknown } | null)?.render;
  return typeof own === 'function' ? (own as () => string)() : JSON.stringify(value);
}

/** Adds a text for the model. Programs and events get the value itself. */
function addModelText<T extends object>(value: T, content: string): T {
  return Object.defineProperty(value, 'render', { value: () => content });
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? sanitizeText(value, 200) : '';
}

function sizeOf(data: unknown): { readonly bytes?: number } {
  return typeof data === 'string' ? { bytes: Math.floor(measureBytes(data)) } : {};
}

function formatSize(data: unknown): string {
  const { bytes } = sizeOf(data);
  return bytes === undefined ? '' : `, ${String(bytes)} bytes`;
}
