import type { NativeContent } from '../../value/NativeContent.js';

/** Entries with which a piece begins that continues a paused one: the provider got the two as two messages. */
const continuing = new WeakSet<object>();

/** The blocks of a paused answer, piece after piece, and the positions at which the provider paused. */
export interface JoinedPieces<Block> {
  readonly blocks: readonly Block[];
  /** Positions in `blocks` of the first block of each later piece. */
  readonly pauses: readonly number[];
}

/** Joins the pieces of an answer; pieces without blocks count for nothing. */
export function joinPieces<Block>(pieces: readonly (readonly Block[])[]): JoinedPieces<Block> {
  const spoken = pieces.filter((blocks) => blocks.length > 0);
  let count = 0;
  const ends = spoken.map((blocks) => (count += blocks.length));
  return { blocks: spoken.flat(), pauses: ends.slice(0, -1) };
}

/** Returns the pieces of a recorded answer. */
export function piecesOf({ content, pauses = [] }: NativeContent): readonly (readonly unknown[])[] {
  const starts = [0, ...pauses];
  return starts.map((start, index) => content.slice(start, starts[index + 1]));
}

/** Makes one entry of each block; the first one after a pause begins a message of its own. */
export function entriesOfPieces<Block, Entry extends object>(
  { blocks, pauses }: JoinedPieces<Block>,
  entryOf: (block: Block) => Entry,
): readonly Entry[] {
  const entries = blocks.map(entryOf);
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
