import type { JoinedPieces } from 'toolwright/internal';

/** Entries that begin the continuation of a paused answer: the provider received the two pieces as two messages. */
const continuing = new WeakSet();

/** Makes an entry of each block, and remembers the entries that begin a new message after a pause. */
export function entriesOfPieces<Block, Entry extends object>(
  { parts, pauses }: JoinedPieces<Block>,
  entryOf: (block: Block) => Entry,
): readonly Entry[] {
  const entries = parts.map(entryOf);
  for (const position of pauses) {
    const entry = entries[position];
    if (entry !== undefined) continuing.add(entry);
  }
  return entries;
}

/** Returns true for an entry that begins a new message, since it continues a paused answer. */
export function continuesPause(entry: object): boolean {
  return continuing.has(entry);
}
