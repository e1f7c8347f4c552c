import { sanitizedText } from './untrustedText.js';
import { sizeOf } from './sizeOf.js';

/** One part of an answer, as the server sent it. */
type Block = Readonly<Record<string, unknown>>;

/** Characters of a server's words about a failure. */
const LONGEST_FAILURE = 4_000;

/** What a tool's answer holds as its content, in the form of the protocol. */
export function blocksOf(content: unknown): readonly Block[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly unknown[]).filter(
    (block): block is Block => typeof block === 'object' && block !== null && !Array.isArray(block),
  );
}

/** The value of a list of parts: the value of the only one, or a list of all. */
export function valueOf(blocks: readonly Block[]): unknown {
  const values = blocks.map(blockValue);
  return values.length === 1 ? values[0] : withWords(values, values.map(wordsOf).join('\n\n'));
}

/** A text that is JSON, as data; any other text as it is. */
export function textValue(text: string): unknown {
  if (!/^\s*(?:[[{"\-\d]|true\s*$|false\s*$|null\s*$)/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    // A number of too many digits would become another one, and what is too deep could not be written again.
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return text;
    return sizeOf(value, Infinity) === undefined ? text : value;
  } catch {
    return text;
  }
}

/** One part as text: what it says, or what it is. */
export function blockText(given: unknown): string {
  const [block = {}] = blocksOf([given]);
  const { text, resource } = block;
  const inner = (resource as { readonly text?: unknown } | undefined)?.text;
  const own = [text, inner].find((each) => typeof each === 'string');
  return typeof own === 'string' ? own : wordsOf(blockValue(block));
}

/** A server's own words about a failure. */
export function failureText(blocks: readonly Block[]): string {
  const texts = blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const words = sanitizedText(texts.join('\n'), LONGEST_FAILURE);
  return words === '' ? 'The tool failed, and its server does not say why.' : words;
}

function blockValue(block: Block): unknown {
  const { type, text, resource } = block;
  if (type === 'text' && typeof text === 'string') return textValue(text);
  if (type === 'resource' && typeof resource === 'object' && resource !== null) return resourceValue(resource as Block);
  return withWords(plainBlock(block), `[${wordOf(type)} ${wordOf(block['mimeType'])}${sizeText(block['data'])}]`);
}

/** The value of a resource: its text, or its bytes with what is known of them. */
export function resourceValue(contents: Block): unknown {
  const { text, blob, uri, mimeType } = contents;
  if (typeof text === 'string') return textValue(text);
  const value = { type: 'resource', ...plainBlock({ uri, mimeType, blob }) };
  return withWords(value, `[resource ${wordOf(uri)}${sizeText(blob)}]`);
}

/** Without what is for clients only. */
function plainBlock({ annotations: _hints, _meta, icons: _icons, ...block }: Block): Block {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== undefined));
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  // JSON holds no functions: this one is ours.
  const own = (value as { readonly render?: unknown } | null)?.render;
  return typeof own === 'function' ? (own as () => string)() : JSON.stringify(value);
}

/** Words for the model: bytes of pictures and sounds would fill its context. Programs and events get the value itself. */
function withWords<T extends object>(value: T, words: string): T {
  return Object.defineProperty(value, 'render', { value: () => words });
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? sanitizedText(value, 200) : '';
}

function sizeText(data: unknown): string {
  return typeof data === 'string' ? `, ${String(Math.floor((data.length * 3) / 4))} bytes` : '';
}
