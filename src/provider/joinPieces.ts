import type { NativeContent } from '../value/Message.js';

/** The parts of an answer that its provider paused, piece after piece, and the positions of the pauses. */
export interface JoinedPieces<Part> {
  readonly parts: readonly Part[];
  /** Positions in `parts` of the first part of each later piece. */
  readonly pauses: readonly number[];
}

/** Joins the pieces of an answer. Pieces without parts are ignored. */
export function joinPieces<Part>(pieces: readonly (readonly Part[])[]): JoinedPieces<Part> {
  const spoken = pieces.filter((parts) => parts.length > 0);
  let count = 0;
  const ends = spoken.map((parts) => (count += parts.length));
  return { parts: spoken.flat(), pauses: ends.slice(0, -1) };
}

/** Returns the pieces of a recorded answer. */
export function readPieces({ content, pauses = [] }: NativeContent): readonly NativeContent['content'][] {
  const starts = [0, ...pauses];
  return starts.map((start, index) => content.slice(start, starts[index + 1]));
}

/** Returns the pieces of an answer for the record, or undefined if they hold nothing. */
export function recordPieces(provider: string, pieces: readonly NativeContent['content'][]): NativeContent | undefined {
  const { parts: content, pauses } = joinPieces(pieces);
  if (content.length === 0) return undefined;
  return { provider, content, ...(pauses.length === 0 ? {} : { pauses }) };
}

/** Returns an answer without some of its parts: the same object if it has none of them, or undefined if nothing is left. */
export function removeParts(native: NativeContent, isLeftOut: (part: unknown) => boolean): NativeContent | undefined {
  if (!native.content.some(isLeftOut)) return native;
  return recordPieces(
    native.provider,
    readPieces(native).map((piece) => piece.filter((part) => !isLeftOut(part))),
  );
}
