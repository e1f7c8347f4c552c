import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedModel } from 'toolwright/testing';
import { openRuns, type Runs, type RunStatus } from '@toolwright/durable';
import { sqliteRuns } from '../../packages/durable/spec/support/sqliteRuns';
import { describeDoors } from './describeDoors';
import { CALLS, GIVEN, Leak, openSecretDesk, outside, textOf } from './secretDesk';

const folder = mkdtempSync(join(tmpdir(), 'secret-runs-'));
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
  rmSync(folder, { recursive: true, force: true });
});

const messages = [{ role: 'user', content: 'Sign me in.' }] as const;

/** The runs of one process. */
async function openProcess(name: string, toolCalls: typeof CALLS | readonly object[]) {
  const { app, prompt, logged } = await openSecretDesk({ repair: 'on' });
  const adapter = new ScriptedModel([{ toolCalls: toolCalls as typeof CALLS }, { text: 'Done.' }]);
  const runs = await openRuns(app, {
    store: sqliteRuns(join(folder, `${name}.db`)),
    pollMs: 20,
    onUnknown: 'ask',
    prepare: () => ({ prompt, adapter, slices: [Leak] }),
  });
  closing.push(async () => {
    await runs.drain(0);
    await app.close();
  });
  return { runs, logged };
}

async function until(isDone: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await isDone()) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function eventsOf(runs: Runs, id: string, end: RunStatus): Promise<string> {
  await until(async () => (await runs.get(id)).status === end);
  const events: unknown[] = [];
  for await (const event of runs.events(id)) {
    events.push(event);
    if (event.kind === 'end' || event.kind === 'question') break;
  }
  return textOf(events);
}

async function endedRuns() {
  const { runs, logged } = await openProcess('ended', CALLS);
  await runs.start({ id: 'r', messages });
  const leaving = await openProcess('failed', [{ id: 'c1', name: 'leave', arguments: GIVEN }]);
  await leaving.runs.start({ id: 'r', messages });
  return {
    'the events of a durable run': await eventsOf(runs, 'r', 'answered'),
    'the events of a durable run that failed': await eventsOf(leaving.runs, 'r', 'failed'),
    'the record of a durable run that failed': textOf(await leaving.runs.get('r')),
    'the log of a durable run': textOf(logged),
  };
}

/** A run whose process ended in the middle of a call. */
async function cutOffRun() {
  const toolCalls = [{ id: 'c1', name: 'send', arguments: GIVEN }];
  const first = await openProcess('cut', toolCalls);
  let isSending = false;
  outside.send = () => {
    isSending = true;
    return new Promise<string>(() => undefined);
  };
  await first.runs.start({ id: 'r', messages });
  await until(() => isSending);
  await first.runs.drain(0);
  const { runs } = await openProcess('cut', toolCalls);
  const events = await eventsOf(runs, 'r', 'waiting');
  const questions = await runs.questions();
  expect(questions).toMatchObject([{ about: 'unknown', name: 'send' }]);
  const preview = await runs.preview('r', questions[0]?.id ?? '');
  return {
    'the question of a durable run': textOf(questions),
    'the events of a durable run that asks': events,
    'the preview of a question': textOf(preview),
  };
}

describeDoors(endedRuns, [
  'the events of a durable run',
  'the events of a durable run that failed',
  'the record of a durable run that failed',
  'the log of a durable run',
]);
describeDoors(cutOffRun, [
  'the question of a durable run',
  'the events of a durable run that asks',
  'the preview of a question',
]);
