// `npm run -w @toolwright/durable figures`: measures the cost of durable runs as ratios of one process: runs over workflows of DBOS,
// the file of 200 turns over their state, and a run in a conversation over one without. docs/benchmarks/durable.md has the bounds.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAgainstPackages } from '../../../scripts/build.mjs';
import { newNode } from '../../../scripts/node24.mjs';
import { root, run } from '../../../scripts/process.mjs';

const PAIRS = 7;

await buildAgainstPackages('samples');
const { Session } = await import('toolwright');
const { Conversation } = await import('toolwright/conversations');
const { SqliteRuns } = await import('@toolwright/durable/sqlite');
const { ScriptedModel } = await import('toolwright/testing');
const { app, Desk, median, model, report, text } = await import('./desk.mjs');

await bytes();
start();
await inMemory();
withNewNode('dbos.mjs', process.argv.slice(2));
withNewNode('takeover.mjs');

/** Runs a script that uses pg-boss. */
function withNewNode(script, args = []) {
  const { node, problem } = newNode();
  if (problem === undefined) run(node, [`packages/durable/scripts/${script}`, ...args]);
  else console.log(`absent: ${script} (pg-boss needs Node 22.12: ${problem})`);
}

/** Measures the milliseconds from the start of a process with the embedded store and engine until it takes runs. */
function start() {
  const program = `import 'reflect-metadata';
import { createApplication, definePrompt, defineSection } from 'toolwright';
import { openRuns } from '@toolwright/durable';
import { SqliteRuns } from '@toolwright/durable/sqlite';
const Desk = definePrompt({ ns: 'figures', key: 'desk', sections: [defineSection({ key: 'desk', title: 'Desk' })] });
const app = await createApplication({ prompts: [Desk] });
const runs = await openRuns(app, { store: new SqliteRuns(process.argv[1]), prepare: () => ({ prompt: Desk }) });
console.log(performance.now());
await runs.drain(0);`;
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-figures-'));
  const args = ['--input-type=module', '--eval', program, join(folder, 'runs.db')];
  const times = Array.from({ length: PAIRS }, () => Number(execFileSync(process.execPath, args, { cwd: root })));
  rmSync(folder, { recursive: true });
  console.log(`embedded start: ${median(times).toFixed(0)} ms`);
}

/** Measures the size of a file after 200 turns over its state (messages as JSON), and the growth of late entries over early ones. */
async function bytes() {
  for (const isReopened of [false, true]) {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-figures-'));
    const store = new SqliteRuns(join(folder, 'runs.db'));
    let conversation = await Conversation.open(store, 'c');
    const grown = [];
    for (let turn = 0, count = 0; turn < 200; turn++) {
      if (isReopened) conversation = await Conversation.open(store, 'c');
      const adapter = new ScriptedModel([{ toolCalls: [{ name: 'act', arguments: { id: `${turn}` } }] }, { text }]);
      const messages = [{ role: 'user', content: `${turn}: ${text}` }];
      await app.evaluate(app.prompt(Desk), { adapter, session: new Session(), conversation, messages });
      // These texts are as long as the ones in the table.
      const entries = (await store.entries('c', count)).map((entry) => JSON.stringify(entry));
      count += entries.length;
      grown.push(entries.join('').length);
    }
    // Closing the last connection moves the write-ahead log into the file.
    await store.close();
    const useful = JSON.stringify(conversation.messages).length;
    const processes = isReopened ? 'each in another process' : 'one process';
    report(`size of the file over useful state, 200 turns, ${processes}`, statSync(store.path).size / useful);
    report('  entries over useful state', grown.reduce((sum, length) => sum + length) / useful);
    report('  entries of the last turn over those of the second', grown[199] / grown[1]);
    rmSync(folder, { recursive: true });
  }
}

/** Measures a run in a conversation in memory over a run without one, in pairs, after their code is compiled. */
async function inMemory() {
  // The pairs are short, so that other load of the machine affects both sides of a pair.
  const [runs, pairs] = [60, 251];
  const once = async (conversation) => {
    const began = process.cpuUsage();
    for (let run = 0; run < runs; run++)
      await app.evaluate(app.prompt(Desk), {
        ...{ adapter: model, session: new Session(), messages: [{ role: 'user', content: 'go' }] },
        conversation: conversation(),
      });
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  const ratios = [];
  const [kept, bare] = [() => new Conversation(), () => undefined];
  // V8 compiles in another thread. After fewer runs, half of the measured time would be compilation.
  for (let round = 0; round < 150; round++) for (const each of [kept, bare]) await once(each);
  for (let pair = 0; pair < pairs; pair++) ratios.push((await once(kept)) / (await once(bare)));
  report('steps in memory over the bare loop, CPU time', median(ratios));
}
