import { join } from 'node:path';
import type * as conversations from 'toolwright/conversations';
import type { RunEntry } from 'toolwright/conversations';
import type * as sqlite from '@toolwright/durable/sqlite';
import { host } from 'toolwright/internal/light';
import { ScriptedModel } from 'toolwright/testing';
import type { CommandContext } from '../Context.js';
import { loadFactory } from '../load/loadApplication.js';
import { loadPackage } from '../load/loadPackage.js';
import { readMetadata } from '../load/withApplication.js';
import { Bench } from '../prove/Bench.js';
import type { PartAnswer, PartOrder } from '../prove/killTool.js';

/** Makes one call in a recorded run and is killed in it, or continues the run that another process began. */
export async function provePart({ folder, terminal, signal }: CommandContext, given: string): Promise<void> {
  const order = JSON.parse(given) as PartOrder;
  const { app, prompt, tool, args, killAt, timeoutMs, metadata } = order;
  const open = await loadFactory(app, folder);
  const settings = { open, prompt, runMetadata: readMetadata(metadata), timeoutMs, signal };
  const bench = await Bench.open(settings, join(order.folder, 'data'));
  const { format } = bench.loaded;
  const [{ Conversation }, { SqliteRuns }] = await Promise.all([
    loadPackage<typeof conversations>(folder, { name: 'toolwright/conversations', place: 'prove' }, format),
    loadPackage<typeof sqlite>(folder, { name: '@toolwright/durable/sqlite', place: 'prove' }, format),
  ]);
  const runs = new SqliteRuns(join(order.folder, 'runs.db'));
  const append = runs.append.bind(runs);
  runs.append = (position, entries) => {
    if (killAt === 'outcome' && entries.some(({ kind }) => kind === 'outcome')) die();
    return append(position, entries);
  };
  if (killAt === 'handler')
    bench.intercept(async (_call, next) => {
      await next();
      die();
    });
  const conversation = await Conversation.open(runs, 'prove');
  await bench.loaded.app.evaluate(await bench.render(), {
    adapter: new ScriptedModel([{ toolCalls: [{ id: 'prove-1', name: tool, arguments: args }] }, { text: 'Done.' }], {
      by: 'position',
    }),
    session: bench.session,
    conversation,
    runId: 'prove',
    runMetadata: bench.loaded.runMetadata,
    messages: [{ role: 'user', content: 'Make the call.' }],
  });
  const { entries } = conversation.toJSON();
  const outcome = entries.find((entry): entry is RunEntry<'outcome'> => entry.kind === 'outcome');
  const world = await bench.look();
  const answer: PartAnswer = {
    outcome: outcome?.outcome ?? 'none',
    inside: [...world.inside],
    outside: [...world.outside],
  };
  terminal.json(answer);
}

/** Ends this process as a loss of power would, without running any of its code. */
function die(): never {
  host.kill(host.pid, 'SIGKILL');
  // The signal arrives before the process can write anything else.
  for (;;);
}
