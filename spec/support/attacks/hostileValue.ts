import type { StandardSchema } from 'toolwright/schema';

/** A schema, and a value that takes long to check against it. */
export interface HostileValue {
  readonly params: () => StandardSchema;
  readonly value: Readonly<Record<string, unknown>>;
  /** True if the check would take seconds to years, and is ended. */
  readonly isEndless?: boolean;
}

export type Json = Readonly<Record<string, unknown>>;

/** Three ways to read each digit: 3¹⁶ ways to read sixteen. */
export const THREE_WAYS = /^(?:\w|\d|[a-z0-9_])+@$/;
export const FOUR_WAYS = /^(?:\w|\d|[a-z0-9_]|[0-9])+@$/;

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
export const point = (n: number): Json => ({ id: n, name: 'n' });
