import { SandboxError } from './SandboxError.js';

/** From, to; whole numbers only. */
type Range = readonly [from: number, to: number];

const KIB = 1024;
const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** A string of the host holds no more characters. */
const LONGEST_TEXT = 2 ** 29 - 24;

/** What QuickJS, its memory of 32 bits and the host's strings can keep. */
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

/** @throws {SandboxError} E652: a value is missing, no whole number, or outside of its range. */
export function checkRanges(values: Readonly<Record<string, unknown>>, ranges: Readonly<Record<string, Range>>): void {
  for (const [name, [from, to]] of Object.entries(ranges)) {
    const value = values[name];
    if (Number.isInteger(value) && (value as number) >= from && (value as number) <= to) continue;
    throw new SandboxError(`${name} is ${String(value)}; it is a whole number from ${String(from)} to ${String(to)}`, {
      code: 'E652',
    });
  }
}
