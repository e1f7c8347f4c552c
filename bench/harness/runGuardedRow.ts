// Prepares one guarded row with the build of a folder, and measures calls of it whenever compareBuilds.ts asks.
import { join } from 'node:path';
import type { Reply, Request } from './compareBuilds.js';
import type { GuardedRows } from './GuardedRows.js';
import { callsWithin, timeOf, type Contender } from './measure.js';
import { bytesOf, callsOfGroup } from './measureBytes.js';

const GROUP_MS = 20;
const WARM_UP_MS = 1_500;

async function prepare(): Promise<Contender> {
  const [folder = '', file = '', name = ''] = process.argv.slice(2);
  const { rows } = (await import(join(folder, 'guard', `${file}.js`))) as { readonly rows: GuardedRows };
  const run = await rows[name]!();
  await run();
  return run;
}

async function serve(run: Contender): Promise<void> {
  const calls = { time: await callsWithin(run, GROUP_MS, 'processor', WARM_UP_MS), bytes: await callsOfGroup(run) };
  process.on('message', (request: Request) => {
    const cost = request === 'time' ? timeOf(run, calls.time, 'processor') : bytesOf(run, calls.bytes);
    void cost.then((each) => process.send?.({ cost: each } satisfies Reply));
  });
  // Threads of a sandbox would keep this process running.
  process.on('disconnect', () => process.exit());
  process.send?.({} satisfies Reply);
}

void prepare().then(serve, (error: unknown) => process.send?.({ absent: String(error) } satisfies Reply));
