import { createHash } from 'node:crypto';
import { describeValue, isObject, isRecord, messageOf } from 'toolwright/internal/light';
import { McpBridgeError } from '../mcpErrors.js';
import type { RemoteDeclaration } from '../readRemote.js';
import type { McpPinStore } from './McpPins.js';

type Data = Readonly<Record<string, unknown>>;

/** A declaration as it was accepted. */
export interface Pin {
  readonly sha256: string;
  readonly declaration: Data;
  /** True if the server does not send the declaration any more. */
  readonly isHidden?: true;
}

/** The pins of a server, by the kind and the name of each declaration. */
export type ServerPins = ReadonlyMap<string, Pin>;

/** The pins of all servers, by the names of the servers. */
export type PinBook = ReadonlyMap<string, ServerPins>;

/** The fields of a declaration that a model reads, or that decide how a tool is called. */
const FIELDS = [
  'name',
  'title',
  'description',
  'uri',
  'uriTemplate',
  'mimeType',
  'inputSchema',
  'outputSchema',
  'annotations',
];

/** Returns the pin of a declaration. */
export function createPin({ source }: Pick<RemoteDeclaration, 'source'>): Pin {
  const declaration = sortKeys(
    Object.fromEntries(FIELDS.filter((field) => source[field] !== undefined).map((field) => [field, source[field]])),
  ) as Data;
  return { sha256: digest(declaration), declaration };
}

export function pinKeyOf({ kind, remoteName }: Pick<RemoteDeclaration, 'kind' | 'remoteName'>): string {
  return `${kind} ${remoteName}`;
}

/** @throws McpBridgeError E677 */
export async function readPins(store: McpPinStore): Promise<PinBook> {
  const text = await Promise.resolve(store.read()).catch((cause: unknown) => {
    throw createPinsError(messageOf(cause), cause);
  });
  if (text === undefined) return new Map();
  const book = parseJson(text);
  if (!isRecord(book) || book['version'] !== 1 || !isRecord(book['servers']))
    throw createPinsError(`they are ${describeValue(book)}; { version: 1, servers } is expected`);
  return new Map(
    Object.entries(book['servers']).map(([server, pins]) => [
      server,
      new Map(Object.entries(Object(pins) as Data).map(readPin)),
    ]),
  );
}

/** Changes the pins of a server. Writers of one store wait for each other. @throws McpBridgeError E677; errors of the store, unchanged */
export async function updatePins(
  store: McpPinStore,
  server: string,
  update: (pins: ServerPins) => ServerPins,
): Promise<void> {
  const before = writers.get(store) ?? Promise.resolve();
  const written = before
    .catch(() => undefined)
    .then(async () => {
      const book = await readPins(store);
      const pins = update(book.get(server) ?? new Map());
      await store.write(formatBook(new Map([...book, [server, pins]])));
    });
  writers.set(store, written);
  return written;
}

const writers = new WeakMap<McpPinStore, Promise<void>>();

function formatBook(book: PinBook): string {
  const servers = Object.fromEntries(
    [...book].sort(byName).map(([server, pins]) => [server, Object.fromEntries([...pins].sort(byName))]),
  );
  return `${JSON.stringify({ version: 1, servers }, null, 2)}\n`;
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw createPinsError(messageOf(cause), cause);
  }
}

function readPin([key, pin]: readonly [string, unknown]): [string, Pin] {
  const { sha256, declaration, isHidden } = Object(pin) as Partial<Pin>;
  if (!isObject(declaration) || digest(sortKeys(declaration)) !== sha256)
    throw createPinsError(`the sha256 of ${describeValue(key)} is not the one of its declaration`);
  return [key, { sha256, declaration, ...(isHidden === true ? { isHidden } : {}) }];
}

function createPinsError(problem: string, cause?: unknown): McpBridgeError {
  return new McpBridgeError(`the pins cannot be read: ${problem}`, { code: 'E677', place: 'MCP pins', cause });
}

function digest(declaration: unknown): string {
  return createHash('sha256').update(JSON.stringify(declaration)).digest('hex');
}

/** Sorts keys, because a server may send the same declaration in another order. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(byName);
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
