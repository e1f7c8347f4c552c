import type { JoinedPieces } from 'toolwright/internal';

/** Entries with which a piece begins that continues a paused one: the provider got the two as two messages. */
const continuing = new WeakSet();

/** Makes one entry of each block; the first one after a pause begins a message of its own. */
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

/** True for an entry that continues a paused answer in a message of its own. */
export function continuesPause(entry: object): boolean {
  return continuing.has(entry);
}
