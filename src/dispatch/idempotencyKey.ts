import { createHash } from 'node:crypto';
import type { ToolCall } from '../value/ToolCall.js';
import { readArguments } from './parseArguments.js';

/** What tells a call from all others, however often its run is continued. */
export interface CallIdentity {
  readonly run: () => string;
  readonly turn: number;
  readonly position: string;
}

/** Hash over run, turn, position, tool and arguments; the order of keys in the arguments makes no difference. */
export function idempotencyKey({ run, turn, position }: CallIdentity, { name, arguments: args }: ToolCall): string {
  return createHash('sha256')
    .update(JSON.stringify([run(), turn, position, name, canonical(readArguments(args) ?? {})]))
    .digest('hex');
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  // In a wrapper, so that no array means the same.
  return { entries: entries.map(([key, entry]) => [key, canonical(entry)]) };
}
