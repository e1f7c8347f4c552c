// One of the processes that work on orders. It may be killed at any moment.
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { openOrders } from './orders.js';

async function main(): Promise<void> {
  const [path = '', url = '', pollMs = '100'] = process.argv.slice(2);
  const runs = await openOrders({ store: new SqliteRuns(path), url, pollMs: Number(pollMs) }, true);
  process.stdout.write('ready\n');
  process.once('SIGTERM', () => {
    void runs.drain(5_000).then(() => process.exit(0));
  });
  // If the parent has ended, nothing else would end this process.
  process.stdin.resume().once('end', () => process.exit(0));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
