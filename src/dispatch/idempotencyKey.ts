import { sha256 } from '../common/builtins.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { CallPlace, CallRun } from './CallRun.js';
import { readArguments } from './parseArguments.js';

/** The identity of a call, which stays the same however often its run is continued. */
export interface CallIdentity {
  readonly run: () => string;
  readonly turn: number;
  readonly position: string;
}

/** A call without a place is the first one of its run. */
export function identityOf({ id: run }: CallRun, { turn = 1, position = '0' }: CallPlace): CallIdentity {
  return { run, turn, position };
}

/**
 * Hash over run, turn, position, tool and arguments; the order of keys in the arguments makes no difference, nor does a key
 * without a value, which JSON leaves out.
 */
export function idempotencyKey({ run, turn, position }: CallIdentity, { name, arguments: args }: ToolCall): string {
  return sha256(JSON.stringify([run(), turn, position, name, canonical(readArguments(args) ?? {})]));
}

/** The value with its keys in order, and without those that JSON leaves out. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, entry]) => entry !== undefined);
  const entries = given.sort(([one], [other]) => (one < other ? -1 : 1));
  // In a wrapper, so that no array has the same form.
  return { entries: entries.map(([key, entry]) => [key, canonical(entry)]) };
}
