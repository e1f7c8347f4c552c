// A program in the sandbox. Its time includes both threads, its bytes only the main one.
import { QuickJsSandbox, type SandboxBridge, type SandboxLimits } from '@toolwright/programs';
import type { GuardedRows } from '../harness/GuardedRows.js';
import type { Contender } from '../harness/measure.js';

const CALLS = 1_000;
const MEGABYTE = 1024 * 1024;
const limits: SandboxLimits = {
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
const bridge: SandboxBridge = { call: async ({ json }) => ({ ok: true, json }), write: () => undefined };

async function prepareCalls(): Promise<Contender> {
  const sandbox = new QuickJsSandbox();
  const body = `for (let i = 0; i < ${CALLS}; i++) await tool({ i }); return 1;`;
  return async () => {
    const end = await sandbox.run({ body, tools: ['tool'] }, bridge, limits);
    if (end.kind !== 'completed') throw new TypeError(`the program ends as ${end.kind}`);
  };
}

export const rows: GuardedRows = { '1,000 calls of a program': prepareCalls };
