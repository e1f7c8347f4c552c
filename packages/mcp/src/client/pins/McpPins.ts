import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Awaitable } from 'toolwright/types';

/** Keeps the pinned declarations of servers as one text of JSON. */
export interface McpPinStore {
  /** Returns the text; undefined if nothing has been written yet. */
  read(): Awaitable<string | undefined>;
  write(text: string): Awaitable<void>;
}

/** A difference between a declaration of a server and its pin. */
export interface McpPinChange {
  /** The name under which the server is pinned: the key of the section, or the prefix of the toolkit. */
  readonly server: string;
  /** `returned` is a declaration that the server has hidden since it was pinned, and sends again. */
  readonly change: 'added' | 'changed' | 'removed' | 'returned';
  readonly kind: 'tool' | 'resource' | 'template';
  /** The server's name for it. Do not trust it. */
  readonly remoteName: string;
  /**
   * The difference as lines that begin with - and +. Characters outside of ASCII are escaped, so that look-alikes can be told apart.
   */
  readonly difference: string;
}

const files = new Map<string, McpPinStore>();

/**
 * Keeps pins in a file. Commit the file, so that changes of a server are reviewed like changes of code.
 *
 * @param path the file; it is created at the first connection
 * @example
 * const notes = await mcpSection(client, { key: 'notes', title: 'Notes', pins: pinFile('mcp-pins.json') });
 */
export function pinFile(path: string): McpPinStore {
  const file = resolve(path);
  // One store for each file, because writers of the same store wait for each other.
  const store = files.get(file) ?? {
    read: () => readFile(file, 'utf8').catch(ignoreMissing),
    write: async (text) => {
      const draft = `${file}.${randomUUID()}.tmp`;
      try {
        await writeFile(draft, text);
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
  };
  files.set(file, store);
  return store;
}

function ignoreMissing(error: unknown): undefined {
  if ((error as { readonly code?: unknown }).code === 'ENOENT') return undefined;
  throw error;
}
