import type { ModelRequest } from 'toolwright';
import { approximateTokens } from 'toolwright/adapters';

/** Messages that requests share are counted once. */
const counted = new WeakMap<object, number>();

function countOf(entry: object): number {
  const tokens = counted.get(entry) ?? approximateTokens(JSON.stringify(entry));
  counted.set(entry, tokens);
  return tokens;
}

/** The estimated tokens of a request: messages and tools. */
export const tokensOf = ({ messages, offeredTools, closedTools }: ModelRequest): number =>
  [...messages, ...(offeredTools?.('json-schema') ?? []), ...(closedTools?.('json-schema') ?? [])]
    .map(countOf)
    .reduce((sum, tokens) => sum + tokens, 0);
