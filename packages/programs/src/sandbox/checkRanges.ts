import { SandboxError } from './SandboxError.js';

/** An inclusive range of integers. */
type Range = readonly [from: number, to: number];

const KIB = 1024;
const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** The maximum length of a string of the host, in characters. */
const LONGEST_TEXT = 2 ** 29 - 24;

/** The limits that QuickJS, its 32-bit memory and the host's strings allow. */
export const limitRanges = {
  wallMs: [1, UNLIMITED],
  cpuMs: [1, UNLIMITED],
  memoryBytes: [2 * KIB * KIB, KIB * KIB * KIB],
  stackBytes: [64 * KIB, 512 * KIB],
  maxCalls: [0, UNLIMITED],
  maxConcurrency: [1, UNLIMITED],
  maxArgumentBytes: [2, LONGEST_TEXT],
  maxResultBytes: [2, LONGEST_TEXT],
  maxOutputBytes: [0, LONGEST_TEXT],
} as const satisfies Record<string, Range>;

export const optionRanges = { workers: [1, 4], maxPrograms: [1, UNLIMITED] } as const satisfies Record<string, Range>;

/** @throws {SandboxError} E652: a value is missing, not an integer, or out of range. */
export function checkRanges(values: Readonly<Record<string, unknown>>, ranges: Readonly<Record<string, Range>>): void {
  for (const [name, [from, to]] of Object.entries(ranges)) {
    const value = values[name];
    if (Number.isInteger(value) && (value as number) >= from && (value as number) <= to) continue;
    throw new SandboxError(`${name} is ${String(value)}; it is a whole number from ${String(from)} to ${String(to)}`, {
      code: 'E652',
    });
  }
}
