import { sanitizedText } from './untrustedText.js';
import { sizeOf } from './sizeOf.js';

/** One part of an answer, as the server sent it. */
type Block = Readonly<Record<string, unknown>>;

/** The most characters of a server's message about a failure. */
const LONGEST_FAILURE = 4_000;

/** Returns the content blocks of a tool's answer. */
export function blocksOf(content: unknown): readonly Block[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly unknown[]).filter(
    (block): block is Block => typeof block === 'object' && block !== null && !Array.isArray(block),
  );
}

/** Returns the value of a list of blocks: the value of the only one, or a list of all. */
export function valueOf(blocks: readonly Block[]): unknown {
  const values = blocks.map(blockValue);
  return values.length === 1 ? values[0] : rendersAs(values, values.map(textOf).join('\n\n'));
}

/** Returns a text that is JSON as data, any other text unchanged. */
export function textValue(text: string): unknown {
  if (!/^\s*(?:[[{"\-\d]|true\s*$|false\s*$|null\s*$)/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    // A number with too many digits would become another one, and JSON that is too deep could not be stringified.
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return text;
    return sizeOf(value, Infinity) === undefined ? text : value;
  } catch {
    return text;
  }
}

/** Returns one block as text: its text, or a description. */
export function blockText(given: unknown): string {
  const [block = {}] = blocksOf([given]);
  const { text, resource } = block;
  const inner = (resource as { readonly text?: unknown } | undefined)?.text;
  const own = [text, inner].find((each) => typeof each === 'string');
  return typeof own === 'string' ? own : textOf(blockValue(block));
}

/** Returns a server's own message about a failure. */
export function failureText(blocks: readonly Block[]): string {
  const texts = blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const content = sanitizedText(texts.join('\n'), LONGEST_FAILURE);
  return content === '' ? 'The tool failed, and its server does not say why.' : content;
}

function blockValue(block: Block): unknown {
  const { type, text, resource } = block;
  if (type === 'text' && typeof text === 'string') return textValue(text);
  if (type === 'resource' && typeof resource === 'object' && resource !== null) return resourceValue(resource as Block);
  return rendersAs(plainBlock(block), `[${wordOf(type)} ${wordOf(block['mimeType'])}${sizeText(block['data'])}]`);
}

/** Returns the value of a resource: its text, or its bytes with their metadata. */
export function resourceValue(contents: Block): unknown {
  const { text, blob, uri, mimeType } = contents;
  if (typeof text === 'string') return textValue(text);
  const value = { type: 'resource', ...plainBlock({ uri, mimeType, blob }) };
  return rendersAs(value, `[resource ${wordOf(uri)}${sizeText(blob)}]`);
}

/** Removes the fields that are for clients only. */
function plainBlock({ annotations: _hints, _meta, icons: _icons, ...block }: Block): Block {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== undefined));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  // JSON holds no functions: this one is from `rendersAs`.
  const own = (value as { readonly render?: unknown } | null)?.render;
  return typeof own === 'function' ? (own as () => string)() : JSON.stringify(value);
}

/** Adds a text for the model: the bytes of images and audio would fill its context. Programs and events get the value itself. */
function rendersAs<T extends object>(value: T, content: string): T {
  return Object.defineProperty(value, 'render', { value: () => content });
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? sanitizedText(value, 200) : '';
}

function sizeText(data: unknown): string {
  return typeof data === 'string' ? `, ${String(Math.floor((data.length * 3) / 4))} bytes` : '';
}
