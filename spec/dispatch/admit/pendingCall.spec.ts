import { createHash } from 'node:crypto';
import {
  ApprovalPendingError,
  type BoundPrompt,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type PendingCall,
  type ToolContext,
} from 'toolwright';
import type { ApprovalDecision, Approver } from 'toolwright/policies';
import { ScriptedModel } from 'toolwright/testing';
import { sortKeys } from '../../../src/dispatch/idempotencyKey';
import { silentLogger } from '../../conformance/declare/silentLogger';
import { deskOf, rejection } from '../desk';
import { payer } from '../payer';

const later: Approver = { approve: () => ({ kind: 'later' }) };

/** A desk, the record of its call that waits, as it comes back from JSON, and what continues it. */
async function waiting(args: string | Readonly<Record<string, unknown>>) {
  const { tool, paid } = payer();
  const desk = await deskOf([tool], { approver: later });
  const error = await rejection(desk.call('pay', args));
  if (!(error instanceof ApprovalPendingError)) throw error;
  const pending = JSON.parse(JSON.stringify(error.pending)) as PendingCall;
  const go = (record: PendingCall) => desk.app.continueCall(desk.rendered, record, { kind: 'approved' });
  return { paid, pending, go };
}

function safeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
}

describe('the record of a call that waits for its approval', () => {
  test('a call with a text of arguments is continued with that text', async () => {
    const { paid, pending, go } = await waiting(' {"amount" : 3.0}');
    expect((await go(pending)).kind).toBe('succeeded');
    expect(paid).toEqual([3]);
  });

  test('a call without arguments, which some adapters leave out, waits like one with none', async () => {
    const wait = defineTool({ name: 'wait', description: 'Waits.', requiresApproval: true, handler: () => 'done' });
    const desk = await deskOf([wait], { approver: later });
    const error = await rejection(desk.app.callTool(desk.rendered, { id: 'c', name: 'wait' } as never));
    if (!(error instanceof ApprovalPendingError)) throw error;
    const outcome = await desk.app.continueCall(desk.rendered, error.pending, { kind: 'approved' });
    expect([error.pending.arguments, outcome.text]).toEqual([{}, 'done']);
  });

  test('a record with any other value in any field is refused with E712', async () => {
    const { paid, pending, go } = await waiting({ amount: 3 });
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level++) deep = { a: deep };
    const wide = Array.from({ length: 200_000 }, () => 0);
    const others: readonly unknown[] = [undefined, null, 7, 'x', true, [], {}, 1n, { a: 1n }, deep, { wide }];
    for (const to of others) {
      for (const field of [...Object.keys(pending), 'extra']) {
        const record = { ...pending, [field]: to } as PendingCall;
        if (JSON.stringify(pending[field as keyof PendingCall]) === safeJson(to)) continue;
        expect([field, await rejection(go(record))]).toMatchObject([field, { code: 'E712' }]);
      }
      expect(await rejection(go(to as PendingCall))).toMatchObject({ code: 'E712' });
    }
    expect(paid).toEqual([]);
    expect((await go(pending)).kind).toBe('succeeded');
  });

  test('a key of another call is refused, even with a seal that fits it', async () => {
    const { paid, pending, go } = await waiting({ amount: 3 });
    const sealed = (record: PendingCall): PendingCall => {
      const text = `pending call\n${JSON.stringify(sortKeys({ ...record, seal: undefined }))}`;
      return { ...record, seal: createHash('sha256').update(text).digest('hex') };
    };
    expect(sealed(pending)).toEqual(pending);
    const forged = sealed({ ...pending, idempotencyKey: (await waiting({ amount: 4 })).pending.idempotencyKey });
    expect(await rejection(go(forged))).toMatchObject({
      code: 'E712',
      message: expect.stringContaining('a field was changed') as string,
    });
    expect(paid).toEqual([]);
  });

  test('an answer counts although the tool needs no approval any more', async () => {
    const { pending } = await waiting({ amount: 3 });
    const { tool, paid } = payer({ requiresApproval: false });
    const desk = await deskOf([tool]);
    const go = (answer: ApprovalDecision) => desk.app.continueCall(desk.rendered, pending, answer);
    expect(await go({ kind: 'denied', reason: 'too much' })).toMatchObject({
      kind: 'denied',
      text: expect.stringContaining('pay was denied: too much') as string,
    });
    expect(paid).toEqual([]);
    expect((await go({ kind: 'approved' })).kind).toBe('succeeded');
    expect(paid).toEqual([3]);
  });

  test('a pending call of another run, thrown by a handler, is a failure of its own call, which is not waiting', async () => {
    const inner = await deskOf([payer().tool], { approver: later });
    const ask = defineTool({
      name: 'ask',
      description: 'Asks.',
      handler: async () => (await inner.call('pay', { amount: 3 })).text,
    });
    const desk = await deskOf([ask]);
    expect(await desk.call('ask')).toMatchObject({
      kind: 'failed',
      text: expect.stringContaining('ask failed: ') as string,
      error: { code: 'E711', pending: { tool: 'pay' } },
    });
    expect(desk.events).toMatchObject([{ name: 'ask', kind: 'failed' }]);
  });

  test('the record of a call that waits for its approval is not made for a call of a run that a handler began', async () => {
    const { tool, paid } = payer();
    const Inner = definePrompt({
      ns: 'spec',
      key: 'inner',
      sections: [defineSection({ key: 's', title: 'Inner', tools: [tool] })],
    });
    const bound: { inner?: BoundPrompt } = {};
    const ask = defineTool({
      name: 'ask',
      description: 'Asks.',
      handler: async (_params: unknown, { run }: ToolContext) => {
        if (run === null || bound.inner === undefined) throw new TypeError('no model');
        return (await run.evaluate(bound.inner, { messages: [{ role: 'user', content: 'Pay.' }] })).text;
      },
    });
    const Outer = definePrompt({
      ns: 'spec',
      key: 'outer',
      sections: [defineSection({ key: 's', title: 'Outer', tools: [ask] })],
    });
    const app = await createApplication({ prompts: [Outer, Inner], approver: later, logger: silentLogger });
    bound.inner = app.prompt(Inner);
    const adapter = new ScriptedModel([
      { toolCalls: [{ name: 'ask', arguments: {} }] },
      { toolCalls: [{ name: 'pay', arguments: { amount: 3 } }] },
      { text: 'It was denied.' },
      { text: 'Done.' },
    ]);
    expect((await app.evaluate(app.prompt(Outer), { adapter })).text).toBe('Done.');
    expect(adapter.requests[2]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringMatching(/pay was denied: .*a handler made the call/) as string,
    });
    expect(paid).toEqual([]);
  });
});
