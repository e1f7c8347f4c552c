import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApplication, definePrompt, defineSection, defineTool, Session } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { ToolInvoked } from 'toolwright/events';
import { deskOf } from '../desk.js';

test('HAND-01 a handler that throws does not end the run: the model reads why, and continues', async () => {
  const act = defineTool({
    name: 'act',
    description: 'Acts.',
    handler: () => {
      throw new Error('boom');
    },
  });
  const Desk = definePrompt({ ns: 'a', key: 'b', sections: [defineSection({ key: 's', title: 'S', tools: [act] })] });
  const app = await createApplication({ prompts: [Desk], logger: { debug() {}, info() {}, warn() {}, error() {} } });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => void events.push(event));
  const adapter = new ScriptedModel([{ toolCalls: [{ name: 'act', arguments: {} }] }, { text: 'So be it.' }]);
  expect(await app.evaluate(app.prompt(Desk), { adapter, session: new Session() })).toMatchObject({
    text: 'So be it.',
    turns: 2,
  });
  const answer = adapter.requests[1]?.messages.at(-1);
  expect(answer).toMatchObject({ role: 'tool', failed: true, content: expect.stringContaining('boom') as string });
  expect(JSON.stringify(answer)).not.toContain('    at ');
  expect(events).toHaveLength(1);
});

test('HAND-08 a call that timed out and rejects later is logged once', async () => {
  const act = defineTool({
    name: 'act',
    description: 'Acts.',
    timeoutMs: 5,
    handler: async () => {
      await sleep(15);
      throw new Error('late');
    },
  });
  const desk = await deskOf([act]);
  expect(await desk.call('act')).toMatchObject({ kind: 'timed_out' });
  await sleep(30);
  expect(desk.logged.filter(({ level }) => level !== 'debug')).toHaveLength(1);
  expect(desk.logged.filter(({ message }) => message.includes('late'))).toMatchObject([
    { level: 'debug', fields: { error: { message: 'late' } } },
  ]);
});

test('HAND-09 the page of limitations says that a synchronous endless loop cannot be interrupted, and what to do', () => {
  const page = readFileSync(join(__dirname, '../../../docs/limitations.md'), 'utf8').replace(/\s+/g, ' ');
  const [paragraph = ''] = /\*\*A synchronous loop cannot be interrupted\.\*\*.*?(?=\*\*|##|$)/.exec(page) ?? [];
  expect(paragraph).toMatch(/blocks the process/);
  expect(paragraph).toMatch(/programs .*isolated/);
});

test('HAND-16 a result of 50 MB: the model gets a part and the size of the whole, the event holds all of it', async () => {
  const text = 'x'.repeat(50_000_000);
  const lines = Array.from({ length: 500_000 }, () => 'y'.repeat(100));
  const tools = [
    defineTool({ name: 'text', description: 'Gives text.', handler: () => text }),
    defineTool({ name: 'lines', description: 'Gives lines.', handler: () => lines }),
  ];
  const desk = await deskOf(tools);
  for (const [name, value, size] of [
    ['text', text, /50000000 characters in all/],
    ['lines', lines, /51500001 characters in all/],
  ] as const) {
    const outcome = await desk.call(name);
    expect(outcome.kind).toBe('succeeded');
    expect(outcome.text.length).toBeLessThan(200_000);
    expect(outcome.text.slice(-300)).toMatch(size);
    expect(outcome.result.value === value).toBe(true);
    expect(desk.events.at(-1)?.result?.value === value).toBe(true);
    expect(desk.events.at(-1)?.toolMessage.length).toBe(outcome.text.length);
  }
});
