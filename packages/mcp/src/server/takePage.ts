import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { createProtocolError } from './createProtocolError.js';

/** A page of a list, and the cursor of the next one. */
export interface Page<T> {
  readonly items: T[];
  readonly nextCursor?: string;
}

/**
 * Returns the page of a list after a cursor. A cursor names the last entry of the previous page, so lists may change between pages.
 *
 * @param keyOf returns a different key for each entry
 * @throws McpError -32602 for a cursor of another list, or of an entry that no longer exists
 */
export function takePage<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  cursor: string | undefined,
  size: number,
): Page<T> {
  let start = 0;
  if (cursor !== undefined) {
    start = items.findIndex((item) => cursorOf(keyOf(item)) === cursor) + 1;
    if (start === 0)
      throw createProtocolError(
        ErrorCode.InvalidParams,
        'The cursor is not valid (any more). List again from the beginning.',
      );
  }
  const page = items.slice(start, start + size);
  const last = page.at(-1);
  const isMore = start + size < items.length && last !== undefined;
  return isMore ? { items: page, nextCursor: cursorOf(keyOf(last)) } : { items: page };
}

function cursorOf(key: string): string {
  return Buffer.from(key).toString('base64url');
}
