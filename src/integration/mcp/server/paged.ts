import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { protocolError } from './protocolError.js';

/** A part of a list, and where it goes on. */
export interface Page<T> {
  readonly items: T[];
  readonly nextCursor?: string;
}

/**
 * The part of a list that a cursor names. A cursor names the entry before it, so that lists may change between two pages.
 *
 * @param keyOf unlike for each entry
 * @throws McpError -32602 for a cursor that this list did not give, or whose entry is gone
 */
export function paged<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  cursor: string | undefined,
  size: number,
): Page<T> {
  let start = 0;
  if (cursor !== undefined) {
    start = items.findIndex((item) => cursorOf(keyOf(item)) === cursor) + 1;
    if (start === 0)
      throw protocolError(
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
