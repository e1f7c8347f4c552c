// A program in the sandbox. Its time includes both threads, its bytes only the main one.
import { QuickJsSandbox, type SandboxBridge } from '@toolwright/programs';
import type { GuardedRows } from '../harness/GuardedRows.js';
import type { Contender } from '../harness/measure.js';
import { limits } from '../tasks/sandboxLimits.js';

const CALLS = 1_000;
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
