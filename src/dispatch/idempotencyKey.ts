import { sha256 } from '../common/builtins.js';
import { isObject } from '../common/guards.js';
import type { RunMetadata } from '../interface/CallContext.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { Placement, DispatchContext, Home } from './DispatchContext.js';
import { readArguments } from './admit/parseArguments.js';

/** The identity of a call, which stays the same each time its run is continued. */
export interface KeyIdentity {
  /** Needed because two conversations may have runs with the same id, and two tenants conversations with the same id. */
  readonly home: Home;
  readonly run: () => string;
  readonly turn: number;
  readonly position: string;
}

/** Creates the identity of a call. A call without a place is the first one of its run. */
export function createIdentity(
  { id, repeatOf, home, metadata }: Pick<DispatchContext, 'id' | 'repeatOf' | 'home' | 'metadata'>,
  { turn = 1, position = '0' }: Placement,
): KeyIdentity {
  const run = repeatOf === undefined ? id : (): string => repeatOf;
  return { home: getHome(home, metadata), run, turn, position };
}

/** Returns the conversation and tenant that a run belongs to: from its log, else from its metadata. */
export function getHome(home: Home | undefined, { conversation, tenant }: RunMetadata): Home {
  return {
    conversation: home?.conversation ?? conversation ?? null,
    tenant: home?.tenant ?? tenant ?? null,
  };
}

/** Returns the conversation id of a run for traces; its session's id if it has no conversation. */
export function getThread({ home, metadata, session }: Pick<DispatchContext, 'home' | 'metadata' | 'session'>): string {
  return getHome(home, metadata).conversation ?? session.id;
}

/**
 * Hashes run, turn, position, tool and arguments, and the conversation and tenant if there are any. Ignores the order of keys in
 * the arguments, and keys without a value, which JSON leaves out.
 */
export function createIdempotencyKey(
  { home: { conversation, tenant }, run, turn, position }: KeyIdentity,
  { name, arguments: args }: ToolCall,
): string {
  const given = sortKeys(readArguments(args) ?? {});
  const home = conversation === null && tenant === null ? [] : [conversation, tenant];
  return sha256(JSON.stringify([run(), turn, position, name, given, ...home]));
}

/** Returns a text that is the same for two calls of one tool with the same arguments, in whatever order their keys are. */
export function writeCallContent({ name, arguments: args }: ToolCall): string {
  return JSON.stringify([name, sortKeys(readArguments(args) ?? {})]);
}

/** Returns the value with its keys sorted, and without keys that JSON leaves out. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(value).sort()) {
    const entry = (value as Readonly<Record<string, unknown>>)[key];
    if (entry !== undefined) entries.push([key, sortKeys(entry)]);
  }
  // Wrapped, so that no array has the same form.
  return { entries };
}
