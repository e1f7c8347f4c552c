import type { SandboxLimits } from '@toolwright/programs';

const MEGABYTE = 1024 * 1024;

/** Limits that no measured program reaches, except the memory. */
export const limits: SandboxLimits = {
  wallMs: 30_000,
  cpuMs: 30_000,
  memoryBytes: 64 * MEGABYTE,
  stackBytes: 256 * 1024,
  maxCalls: 10_000,
  maxConcurrency: 10_000,
  maxArgumentBytes: MEGABYTE,
  maxResultBytes: 8 * MEGABYTE,
  maxOutputBytes: 64 * 1024,
};
