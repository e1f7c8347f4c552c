// Measures one guarded row with this build and with the base commit's, and prints the ratios as JSON. Arguments: the file and the
// name of the row, the folder of the base's compiled benches, and the build that starts first. Each build has its own process, and both take turns: within one
// process, the build that is loaded second is up to 17 % slower than the same code that is loaded first.
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { Measured, type Round } from './measure.js';

const ROUNDS = 25;

type Build = 'head' | 'base';
export type Request = 'time' | 'bytes';
/** The answers of a process: first whether its row is prepared, or why not; then the cost of a call for each request. */
export type Reply = { readonly absent?: string } | { readonly cost: number };

async function ask<T extends Reply>(child: ChildProcess, request?: Request): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => {
      reject(new Error('the process of a build ended'));
    };
    child.once('exit', onExit).once('message', (reply) => {
      child.off('exit', onExit);
      resolve(reply as T);
    });
    if (request !== undefined) child.send(request);
  });
}

async function measureRounds(children: ReadonlyMap<Build, ChildProcess>, request: Request): Promise<Measured<Build>> {
  const rounds: Round<Build>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const costs = { head: 0, base: 0 };
    for (const [build, child] of round % 2 === 0 ? children : [...children].reverse())
      costs[build] = (await ask<{ cost: number }>(child, request)).cost;
    rounds.push(costs);
  }
  return new Measured(rounds);
}

async function main(): Promise<void> {
  const [file = '', name = '', baseFolder = '', first] = process.argv.slice(2);
  const builds: readonly Build[] = first === 'base' ? ['base', 'head'] : ['head', 'base'];
  const folders = { head: join(__dirname, '..'), base: baseFolder };
  const script = join(__dirname, 'runGuardedRow.js');
  const children = new Map(builds.map((build) => [build, fork(script, [folders[build], file, name])]));
  const replies = await Promise.all(
    [...children].map(async ([build, child]) => [build, await ask<{ absent?: string }>(child)] as const),
  );
  const { head, base } = Object.fromEntries(replies) as Record<Build, { absent?: string }>;
  if (head.absent !== undefined) throw new Error(head.absent);
  if (base.absent !== undefined) console.log(JSON.stringify(base));
  else {
    const time = (await measureRounds(children, 'time')).ratio('head', 'base');
    const bytes = (await measureRounds(children, 'bytes')).ratio('head', 'base');
    console.log(JSON.stringify({ time, bytes }));
  }
  for (const child of children.values()) child.kill();
}

void main();
