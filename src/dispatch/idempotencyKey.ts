import { sha256 } from '../common/builtins.js';
import { isObject } from '../common/guards.js';
import type { RunMetadata } from '../interface/CallContext.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { Placement, CallRun, Home } from './CallRun.js';
import { readArguments } from './admit/parseArguments.js';

/** The identity of a call, which stays the same however often its run is continued. */
export interface KeyIdentity {
  /** Two conversations may have runs with the same id, and two tenants conversations with the same id. */
  readonly home: Home;
  readonly run: () => string;
  readonly turn: number;
  readonly position: string;
}

/** A call without a place is the first one of its run. */
export function createIdentity(
  { id: run, home, metadata }: Pick<CallRun, 'id' | 'home' | 'metadata'>,
  { turn = 1, position = '0' }: Placement,
): KeyIdentity {
  return { home: getHome(home, metadata), run, turn, position };
}

/** Returns whose data a run works on: of the log that it is written to, or as its metadata says. */
export function getHome(home: Home | undefined, { conversation, tenant }: RunMetadata): Home {
  return {
    conversation: home?.conversation ?? conversation ?? null,
    tenant: home?.tenant ?? tenant ?? null,
  };
}

/** Returns the conversation id of a run for traces; the id of its session where it has no conversation. */
export function getThread({ home, metadata, session }: Pick<CallRun, 'home' | 'metadata' | 'session'>): string {
  return getHome(home, metadata).conversation ?? session.id;
}

/**
 * Hash over run, turn, position, tool and arguments, and over the conversation and the tenant if there are any; the order of keys in the arguments makes no difference, nor does a key
 * without a value, which JSON leaves out.
 */
export function createIdempotencyKey(
  { home: { conversation, tenant }, run, turn, position }: KeyIdentity,
  { name, arguments: args }: ToolCall,
): string {
  const given = sortKeys(readArguments(args) ?? {});
  const home = conversation === null && tenant === null ? [] : [conversation, tenant];
  return sha256(JSON.stringify([run(), turn, position, name, given, ...home]));
}

/** The value with its keys in order, and without those that JSON leaves out. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const given = Object.entries(value).filter(([, entry]) => entry !== undefined);
  const entries = given.sort(([one], [other]) => (one < other ? -1 : 1));
  // In a wrapper, so that no array has the same form.
  return { entries: entries.map(([key, entry]) => [key, sortKeys(entry)]) };
}
