import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Constructor,
  ApprovalPendingError,
  createApplication,
  Deadline,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  type PendingCall,
  type ToolContext,
  type ToolHints,
  systemClock,
} from 'toolwright';
import {
  allow,
  deny,
  type ApprovalAnswer,
  type ApprovalRule,
  type Approver,
  type ToolPolicy,
} from 'toolwright/policies';
import { FakeClock } from 'toolwright/testing';
import { deskOf, Note, rejection, UNTOUCHED } from '../desk';
import { Amount, payer } from '../payer';

const approved: ApprovalAnswer = { kind: 'approved' };

/** An approver with one answer, and what it was asked about. */
function approverOf(answer: unknown) {
  const asked: unknown[] = [];
  const approver: Approver = {
    approve: ({ params }) => {
      asked.push((params as Amount | null)?.amount);
      return answer as ApprovalAnswer;
    },
  };
  return { approver, asked };
}

describe('an approval', () => {
  test('an approval lets the call run', async () => {
    const { tool, paid } = payer();
    const { approver, asked } = approverOf(approved);
    const desk = await deskOf([tool], { approver });
    expect((await desk.call('pay', { amount: 3 })).kind).toBe('succeeded');
    expect([asked, paid]).toEqual([[3], [3]]);
    expect(desk.events).toMatchObject([{ kind: 'succeeded', approved: true }]);
  });

  test('the event says of a call that failed that it was approved, and of one that needs no approval nothing', async () => {
    const fails = defineTool({
      name: 'fails',
      description: 'Fails.',
      requiresApproval: true,
      handler: (): string => {
        throw new RangeError('no');
      },
    });
    const plain = defineTool({ name: 'plain', description: 'Runs.', handler: () => null });
    const desk = await deskOf([fails, plain], { approver: approverOf(approved).approver });
    await desk.call('fails');
    await desk.call('plain');
    const [failed, ran] = desk.events;
    expect(failed).toMatchObject({ kind: 'failed', approved: true });
    expect(ran).not.toHaveProperty('approved');
  });

  test('a refusal denies the call, with the reason', async () => {
    const { tool, paid } = payer();
    const desk = await deskOf([tool], { approver: approverOf({ kind: 'denied', reason: 'too much' }).approver });
    const outcome = await desk.call('pay', { amount: 3 });
    expect(outcome).toMatchObject({ kind: 'denied', result: { success: false, value: null } });
    expect(outcome.text).toMatch(/pay was denied: too much\nNothing was done/);
    expect(paid).toEqual([]);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.events).toMatchObject([{ kind: 'denied' }]);
    expect(desk.events[0]).not.toHaveProperty('approved');
  });

  test('an approval without an approver is denied, and both the model and the host are notified', async () => {
    const { tool, paid } = payer();
    const desk = await deskOf([tool]);
    const outcome = await desk.call('pay', { amount: 3 });
    expect(outcome.kind).toBe('denied');
    expect(outcome.text).toMatch(/needs an approval, and no approver can give one now/);
    expect(desk.logged).toMatchObject([
      { level: 'error', message: expect.stringMatching(/given no approver/) as string },
    ]);
    expect(paid).toEqual([]);
  });

  test('an approval is requested after the policies, and not at all when they deny', async () => {
    const order: string[] = [];
    const policies: readonly ToolPolicy[] = [
      {
        name: 'small',
        check: ({ params }) => {
          order.push('policy');
          return (params as Amount).amount < 10 ? allow : deny('too much');
        },
      },
    ];
    const { tool } = payer({ policies });
    const approver: Approver = { approve: () => (order.push('approver'), approved) };
    const desk = await deskOf([tool], { approver });
    await desk.call('pay', { amount: 30 });
    await desk.call('pay', { amount: 3 });
    expect(order).toEqual(['policy', 'policy', 'approver']);
  });

  test('an approval sees the state and may not change it', async () => {
    const { tool, paid } = payer();
    const seen: unknown[] = [];
    const approver: Approver = {
      approve: ({ tool: { name } }, { session, call }) => {
        seen.push(name, session.slice(Note).all().length, call.attempt);
        session.dispatch(new Note('approved'));
        return approved;
      },
    };
    const desk = await deskOf([tool], { approver });
    expect((await desk.call('pay', { amount: 3 })).kind).toBe('denied');
    expect(seen).toEqual(['pay', 1, 1]);
    expect(paid).toEqual([]);
    expect(desk.state()).toEqual(UNTOUCHED);
  });
});

describe('fail closed: an approver that', () => {
  const faults: readonly (readonly [name: string, approve: () => unknown])[] = [
    [
      'throws',
      () => {
        throw new Error('the queue is down: secret host');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the queue is down: secret host'))],
    ['gives nothing', () => undefined],
    ['gives null', () => null],
    ['gives true', () => true],
    ['gives a text', () => 'approved'],
    ['gives another kind', () => ({ kind: 'yes' })],
    ['gives another kind with a reason', () => ({ kind: 'refused', reason: 'too much' })],
    ['denies without a reason', () => ({ kind: 'denied' })],
    ['promises garbage', () => Promise.resolve({ approved: true })],
  ];
  test.each(faults)(
    "%s denies: the model reads a neutral text, the host's log has the cause, and the outcome what was thrown",
    async (name, approve) => {
      const { tool, paid } = payer();
      const desk = await deskOf([tool], { approver: { approve: approve as Approver['approve'] } });
      const outcome = await desk.call('pay', { amount: 3 });
      expect(outcome.kind).toBe('denied');
      expect(outcome.text).toMatch(/no approver can give one now/);
      expect(outcome.text).not.toContain('secret host');
      const hasThrown = name === 'throws' || name === 'rejects';
      const thrown = hasThrown ? [new Error('the queue is down: secret host')] : [];
      expect('error' in outcome ? [outcome.error] : []).toStrictEqual(thrown);
      expect(desk.logged).toMatchObject([
        { level: 'error', message: expect.stringMatching(/^The approver /) as string },
      ]);
      expect(paid).toEqual([]);
      expect(desk.state()).toEqual(UNTOUCHED);
    },
  );
});

describe('requiresApproval', () => {
  const asks = async (requiresApproval: ApprovalRule<Amount>, amount: number): Promise<boolean> => {
    const { tool } = payer({ requiresApproval });
    const { approver, asked } = approverOf(approved);
    const desk = await deskOf([tool], { approver });
    expect((await desk.call('pay', { amount })).kind).toBe('succeeded');
    return asked.length > 0;
  };

  test('requiresApproval may be a predicate of the params', async () => {
    const large = ({ amount }: Amount): boolean => amount > 100;
    expect(await asks(large, 101)).toBe(true);
    expect(await asks(large, 100)).toBe(false);
    expect(await asks(false, 101)).toBe(false);
    expect(await asks(async ({ amount }) => Promise.resolve(amount > 100), 100)).toBe(false);
  });

  test.each<[name: string, rule: () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['gives nothing', () => undefined],
    ['gives a text', () => ''],
    ['promises a text', () => Promise.resolve('no')],
    ['promises yes', () => Promise.resolve(true)],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('a rule that %s demands an approval', async (_name, rule) => {
    expect(await asks(rule as () => boolean, 1)).toBe(true);
  });

  test('requiresApproval may read the state, which counts as read; an approval is demanded when its result changes', async () => {
    let handled = 0;
    const asked: string[] = [];
    const approver: Approver = { approve: ({ tool }) => (asked.push(tool.name), approved) };
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      hints: { idempotent: true },
      requiresApproval: (_params, { session }) => session.slice(Note).all().length > 1,
      handler: async () => {
        if (handled++ === 0) await sleep(20);
      },
    });
    const desk = await deskOf([tool], { approver });
    const running = desk.call('act');
    await sleep(5);
    expect(asked).toEqual([]);
    desk.session.dispatch(new Note('outside'));
    expect((await running).kind).toBe('succeeded');
    expect([handled, asked]).toEqual([2, ['act']]);
  });

  test('a tool that writes demands an approval', async () => {
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      requiresApproval: (_params, { session }) => {
        session.dispatch(new Note('by a predicate'));
        return false;
      },
      handler: () => 'done',
    });
    const desk = await deskOf([tool]);
    expect((await desk.call('act')).kind).toBe('denied');
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('any demand of tool, section and prompt is enough', async () => {
    const places = ['tool', 'section', 'prompt'] as const;
    for (const place of places) {
      const at = (here: string): boolean | undefined => (here === place ? true : undefined);
      const tool = defineTool({
        name: 'act',
        description: 'Acts.',
        requiresApproval: at('tool'),
        handler: () => 'done',
      });
      const inner = defineSection({ key: 'inner', title: 'Inner', tools: [tool], requiresApproval: false });
      const section = defineSection({
        key: 'outer',
        title: 'Outer',
        children: [inner],
        requiresApproval: at('section'),
      });
      const prompt = definePrompt({ ns: 's', key: 'p', sections: [section], requiresApproval: at('prompt') });
      let asked = 0;
      const approver: Approver = { approve: () => (asked++, approved) };
      const app = await createApplication({ prompts: [prompt], approver });
      await app.invoke(await app.prompt(prompt).render(), 'act', {});
      expect([place, asked]).toEqual([place, 1]);
    }
  });
});

describe('waiting for an approval', () => {
  const slow = (milliseconds: number): Approver => ({
    approve: async () => {
      await sleep(milliseconds);
      return approved;
    },
  });

  test("waiting for an approval does not count as the tool's time, nor as a policy's", async () => {
    const { tool } = payer({ timeoutMs: 20 });
    const desk = await deskOf([tool], { approver: slow(80), limits: { policyMs: 20 } });
    expect((await desk.call('pay', { amount: 3 })).kind).toBe('succeeded');
  });

  test.each([
    ['', systemClock],
    [', also if its timer fires before the clock shows the time', new FakeClock()],
  ])('waiting for an approval ends at the deadline%s', async (_when, clock) => {
    const { tool, paid } = payer();
    const desk = await deskOf([tool], { approver: { approve: () => new Promise<never>(() => undefined) } });
    const error = await rejection(desk.call('pay', { amount: 3 }, { deadline: Deadline.in(1_000, clock) }));
    expect(error).toMatchObject({ phase: 'tool', code: 'E605' });
    expect(paid).toEqual([]);
  });

  test('waiting for an approval ends when the caller aborts', async () => {
    const { tool, paid } = payer();
    let aborted = false;
    const approver: Approver = {
      approve: (_call, { signal }) =>
        new Promise<never>(() => {
          signal.addEventListener('abort', () => {
            aborted = true;
          });
        }),
    };
    const desk = await deskOf([tool], { approver });
    const controller = new AbortController();
    const running = desk.call('pay', { amount: 3 }, { signal: controller.signal });
    setTimeout(() => {
      controller.abort('enough');
    }, 5);
    expect(await rejection(running)).toBe('enough');
    expect(aborted).toBe(true);
    expect(paid).toEqual([]);
  });

  test('waiting for requiresApproval ends when the caller aborts, and the approver is not asked', async () => {
    const controller = new AbortController();
    const { tool, paid } = payer({
      requiresApproval: () => {
        setTimeout(() => {
          controller.abort('enough');
        }, 5);
        return new Promise<never>(() => undefined);
      },
    });
    const { approver, asked } = approverOf(approved);
    const desk = await deskOf([tool], { approver });
    expect(await rejection(desk.call('pay', { amount: 3 }, { signal: controller.signal }))).toBe('enough');
    expect([asked, paid, desk.logged]).toEqual([[], [], []]);
  });

  test('policies are asked again after an approval when what they saw has changed', async () => {
    const judged: number[] = [];
    const alone: ToolPolicy = {
      name: 'alone',
      check: (_call, { session }) => {
        const notes = session.slice(Note).all().length;
        judged.push(notes);
        return notes === 1 ? allow : deny('somebody was faster');
      },
    };
    const { tool, paid } = payer({ policies: [alone] });
    const desk = await deskOf([tool], { approver: slow(20) });
    const running = desk.call('pay', { amount: 3 });
    await sleep(5);
    desk.session.dispatch(new Note('meanwhile'));
    expect((await running).text).toContain('somebody was faster');
    expect([judged, paid]).toEqual([[1, 2], []]);
  });

  test('in one turn, approvers are asked in call order, one at a time, also for read-only tools', async () => {
    const asked: string[] = [];
    let open = 0;
    const approver: Approver = {
      approve: async ({ call }) => {
        expect(++open).toBe(1);
        asked.push(call.id);
        await sleep(call.id === 'a' ? 20 : 1);
        open--;
        return approved;
      },
    };
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      hints: { readOnly: true },
      requiresApproval: true,
      handler: () => 'seen',
    });
    const desk = await deskOf([look], { approver });
    const calls = ['a', 'b', 'c'].map((id) => ({ id, name: 'look', arguments: '{}' }));
    const outcomes = await desk.app.callTools(desk.rendered, calls, { session: desk.session });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(asked).toEqual(['a', 'b', 'c']);
  });

  test('a call that runs once more is not approved twice', async () => {
    let handled = 0;
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      hints: { idempotent: true },
      requiresApproval: true,
      handler: async (_params: unknown, context: ToolContext) => {
        const notes = context.session.slice(Note).all().length;
        if (handled++ === 0) await sleep(20);
        return notes;
      },
    });
    const { approver, asked } = approverOf(approved);
    const desk = await deskOf([tool], { approver });
    const running = desk.call('act');
    await sleep(5);
    desk.session.dispatch(new Note('outside'));
    expect((await running).kind).toBe('succeeded');
    expect([handled, asked.length]).toEqual([2, 1]);
  });
});

describe('an answer that comes later', () => {
  const later: Approver = { approve: () => ({ kind: 'later' }) };
  const pendingOf = async (running: Promise<unknown>): Promise<PendingCall> => {
    const error = await rejection(running);
    if (!(error instanceof ApprovalPendingError)) throw error;
    return JSON.parse(JSON.stringify(error.pending)) as PendingCall;
  };

  test('an answer that comes later ends the call with E711 and without an event, since it has not ended', async () => {
    const { tool, paid } = payer();
    const desk = await deskOf([tool], { approver: later });
    const error = await rejection(desk.call('pay', { amount: 3 }));
    expect(error).toMatchObject({ code: 'E711', name: 'ApprovalPendingError' });
    expect((error as ApprovalPendingError).pending).toMatchObject({
      ...{ version: 4, prompt: 'spec/desk', tool: 'pay', arguments: { amount: 3 }, turn: 1, position: '0' },
    });
    expect([paid, desk.events]).toEqual([[], []]);
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('the record holds a text of arguments letter by letter, and is frozen', async () => {
    const { tool } = payer();
    const desk = await deskOf([tool], { approver: later });
    const error = await rejection(desk.call('pay', ' {"amount" : 3.0}'));
    expect((error as ApprovalPendingError).pending.arguments).toBe(' {"amount" : 3.0}');
    expect(Object.isFrozen((error as ApprovalPendingError).pending)).toBe(true);
  });

  test('an approved call runs once, without a second question, under the same key', async () => {
    const asked: string[] = [];
    const { tool, paid, keys } = payer();
    const approver: Approver = { approve: (_call, { call }) => (asked.push(call.idempotencyKey), { kind: 'later' }) };
    const desk = await deskOf([tool], { approver });
    const pending = await pendingOf(desk.call('pay', { amount: 3 }));
    const { session } = desk;
    const outcome = await desk.app.continueCall(desk.rendered, pending, { kind: 'approved' }, { session });
    expect(outcome.kind).toBe('succeeded');
    expect(paid).toEqual([3]);
    expect(asked).toEqual(keys);
    expect(pending.idempotencyKey).toBe(keys[0]);
    expect(desk.events).toMatchObject([{ kind: 'succeeded', callId: pending.callId }]);
  });

  test('an approved call runs also in an application without an approver', async () => {
    const { tool, paid } = payer();
    const desk = await deskOf([tool], { approver: later });
    const pending = await pendingOf(desk.call('pay', { amount: 3 }));
    const { app, rendered } = await deskOf([tool]);
    expect((await app.continueCall(rendered, pending, { kind: 'approved' })).kind).toBe('succeeded');
    expect(paid).toEqual([3]);
  });

  test('a refused call has a denied outcome', async () => {
    const { tool, paid } = payer();
    const desk = await deskOf([tool], { approver: later });
    const pending = await pendingOf(desk.call('pay', { amount: 3 }));
    const outcome = await desk.app.continueCall(desk.rendered, pending, { kind: 'denied', reason: 'too much' });
    expect(outcome).toMatchObject({ kind: 'denied' });
    expect(outcome.text).toContain('too much');
    expect(paid).toEqual([]);
  });

  test.each([[{ approved: true }], [{}], [0], [''], [null], [undefined]])(
    'an invalid answer from outside is refused (E735), and no approver is asked: the call still waits: %j',
    async (answer) => {
      const { tool, paid } = payer();
      let asked = 0;
      const approve: Approver['approve'] = () => (asked++ === 0 ? { kind: 'later' } : { kind: 'approved' });
      const desk = await deskOf([tool], { approver: { approve } });
      const pending = await pendingOf(desk.call('pay', { amount: 3 }));
      const going = desk.app.continueCall(desk.rendered, pending, answer as never);
      await expect(going).rejects.toMatchObject({ code: 'E735' });
      expect([asked, paid]).toEqual([1, []]);
      await desk.app.continueCall(desk.rendered, pending, { kind: 'approved' });
      expect([asked, paid]).toEqual([1, [3]]);
    },
  );

  test.each<[string, ToolHints, ToolHints]>([
    ['destructive', {}, { destructive: true }],
    ['destructive, which it denied', { destructive: false }, { destructive: true }],
    ['idempotent no more', { idempotent: true }, {}],
    ['a tool that acts outside', { openWorld: false }, { openWorld: true }],
  ])('a tool that has become %s is not the one that was approved: E712', async (_what, before, after) => {
    const deskWith = (hints: ToolHints) => {
      const { tool, paid } = payer({ hints });
      return deskOf([tool], { approver: later, ids: () => 'run' }).then((desk) => ({ desk, paid }));
    };
    const { desk } = await deskWith(before);
    const pending = await pendingOf(desk.call('pay', { amount: 3 }));
    const there = await deskWith(after);
    const going = there.desk.app.continueCall(there.desk.rendered, pending, { kind: 'approved' });
    expect(await rejection(going)).toMatchObject({
      code: 'E712',
      message: expect.stringContaining('effect changed') as string,
    });
    expect(there.paid).toEqual([]);
  });

  test('policies are asked again: the world may have changed', async () => {
    const once: ToolPolicy = {
      name: 'once',
      check: (_call, { session }) => (session.slice(Note).all().length === 1 ? allow : deny('too late')),
    };
    const { tool, paid } = payer({ policies: [once] });
    const desk = await deskOf([tool], { approver: later });
    const pending = await pendingOf(desk.call('pay', { amount: 3 }));
    const { session } = desk;
    session.dispatch(new Note('meanwhile'));
    const outcome = await desk.app.continueCall(desk.rendered, pending, { kind: 'approved' }, { session });
    expect(outcome.text).toContain('too late');
    expect(paid).toEqual([]);
  });

  test('a refusal counts also where no approval is demanded any more', async () => {
    let isDemanded = true;
    const { tool, paid } = payer({ requiresApproval: () => isDemanded });
    const desk = await deskOf([tool], { approver: later });
    const pending = await pendingOf(desk.call('pay', { amount: 3 }));
    isDemanded = false;
    const outcome = await desk.app.continueCall(desk.rendered, pending, { kind: 'denied', reason: 'no' });
    expect(outcome.kind).toBe('denied');
    expect(paid).toEqual([]);
  });

  test('if the tool is gone by now, the outcome says so; if it has changed, the approval was for another one', async () => {
    const { tool } = payer();
    const desk = await deskOf([tool], { approver: later });
    const pending = await pendingOf(desk.call('pay', { amount: 3 }));
    const gone = await deskOf([]);
    expect((await gone.app.continueCall(gone.rendered, pending, { kind: 'approved' })).kind).toBe('unknown');
    class Other {
      @Param('Sum') sum!: number;
    }
    const changed = await deskOf([
      defineTool({ name: 'pay', description: 'Pays.', params: Other, handler: () => 'paid' }),
    ]);
    const error = await rejection(changed.app.continueCall(changed.rendered, pending, { kind: 'approved' }));
    expect(error).toMatchObject({
      code: 'E712',
      message: expect.stringContaining('pay is no longer the tool') as string,
    });
  });

  describe('is no answer for', () => {
    const deniedWith = async (
      desk: Awaited<ReturnType<typeof deskOf>>,
      call: Promise<{ kind: string; text: string }>,
    ) => {
      const outcome = await call;
      expect(outcome.kind).toBe('denied');
      expect(desk.logged).toMatchObject([{ level: 'warn', message: expect.stringMatching(/cannot wait/) as string }]);
      return outcome.text;
    };

    test('a tool with secret params, which must not be written down', async () => {
      class Secret {
        @Param({ description: 'Key', secret: true }) key!: string;
      }
      const tool = defineTool({
        name: 'open',
        description: 'Opens.',
        params: Secret,
        requiresApproval: true,
        handler: () => 'open',
      });
      const desk = await deskOf([tool], { approver: later });
      expect(await deniedWith(desk, desk.call('open', { key: 'swordfish' }))).toMatch(/may hold a secret/);
    });

    test('a call that a handler makes', async () => {
      const { tool, paid } = payer();
      const outer = defineTool({
        name: 'outer',
        description: 'Pays by another tool.',
        handler: async (_params: unknown, context: ToolContext) => {
          const { kind, text } = await context.callTool({ id: 'i', name: 'pay', arguments: { amount: 3 } });
          return `${kind}: ${text}`;
        },
      });
      const desk = await deskOf([tool, outer], { approver: later });
      expect((await desk.call('outer')).text).toMatch(/^denied: .*a handler made the call/);
      expect(paid).toEqual([]);
    });

    const act = (): Constructor =>
      defineTool({
        name: 'act',
        description: 'Acts.',
        params: {
          '~standard': {
            version: 1,
            vendor: 'spec',
            validate: (value: unknown) => ({ value }),
            jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
          },
        } as never,
        requiresApproval: true,
        handler: () => 'done',
      });

    test('an answer that comes later is refused for arguments that JSON would change: a date', async () => {
      const desk = await deskOf([act()], { approver: later });
      const given = { amount: 3, at: new Date(0) };
      expect(await deniedWith(desk, desk.call('act', given))).toMatch(/not what JSON would give back/);
    });

    test.each([
      ['a large integer', { amount: 3n }],
      ['what writes itself as something else', { amount: 3, toJSON: () => ({ amount: 4 }) }],
    ])('the approver is not asked about arguments that are no JSON: %s', async (_name, given) => {
      const desk = await deskOf([act()], { approver: later });
      expect((await desk.call('act', given)).kind).toBe('rejected');
    });
  });
});

describe('a pending call is data from outside', () => {
  const later: Approver = { approve: () => ({ kind: 'later' }) };
  const written = async () => {
    const { tool, paid } = payer();
    const desk = await deskOf([tool], { approver: later });
    const error = await rejection(desk.call('pay', { amount: 3 }));
    const pending = JSON.parse(JSON.stringify((error as ApprovalPendingError).pending)) as PendingCall;
    const go = (record: unknown) =>
      desk.app.continueCall(desk.rendered, record as PendingCall, { kind: 'approved' }, { session: desk.session });
    return { desk, paid, pending, go };
  };

  test.each<[name: string, change: (pending: PendingCall) => unknown, why: RegExp]>([
    ['nothing', () => undefined, /expected the pending call of an ApprovalPendingError, got undefined/],
    ['null', () => null, /expected the pending call of an ApprovalPendingError, got null/],
    [
      'a text',
      (pending) => JSON.stringify(pending),
      /expected the pending call of an ApprovalPendingError, got the string/,
    ],
    ['a list', (pending) => [pending], /its version is undefined, and 4 is known/],
    ['another version', (pending) => ({ ...pending, version: 1 }), /its version is the number 1, and 4 is known/],
    ['a version as text', (pending) => ({ ...pending, version: '1' }), /its version is the string "1"/],
    ['another prompt', (pending) => ({ ...pending, prompt: 'spec/other' }), /a call of the string "spec\/other", and/],
    ['another tool', (pending) => ({ ...pending, tool: 'write' }), /a field was changed/],
    ['another amount', (pending) => ({ ...pending, arguments: { amount: 3_000 } }), /a field was changed/],
    ['more arguments', (pending) => ({ ...pending, arguments: { amount: 3, to: 'me' } }), /a field was changed/],
    [
      'arguments of another kind',
      (pending) => ({ ...pending, arguments: 3 }),
      /arguments is the number 3, neither a text nor/,
    ],
    ['no arguments', ({ arguments: _arguments, ...pending }) => pending, /arguments is undefined, neither a text nor/],
    ['another principal', (pending) => ({ ...pending, principal: 'eve' }), /its principal is the string "eve", and/],
    [
      'another conversation',
      (pending) => ({ ...pending, conversation: 'c' }),
      /its conversation is the string "c", and/,
    ],
    ['another run', (pending) => ({ ...pending, run: 'other' }), /a field was changed/],
    ['another turn', (pending) => ({ ...pending, turn: 2 }), /a field was changed/],
    ['another position', (pending) => ({ ...pending, position: '1' }), /a field was changed/],
    ['another key', (pending) => ({ ...pending, idempotencyKey: 'x' }), /a field was changed/],
    ['another time', (pending) => ({ ...pending, askedAt: 0 }), /a field was changed/],
    ['no run', ({ run: _run, ...pending }) => pending, /run is undefined, not a string/],
    ['a call id that is no text', (pending) => ({ ...pending, callId: 7 }), /callId is the number 7, not a string/],
    ['no seal', ({ seal: _seal, ...pending }) => pending, /seal is undefined, not a string/],
  ])('a pending call with %s is refused with E712, and nothing runs', async (_name, change, why) => {
    const { desk, paid, pending, go } = await written();
    expect(await rejection(go(change(pending)))).toMatchObject({
      code: 'E712',
      phase: 'tool',
      message: expect.stringMatching(why) as string,
    });
    expect(paid).toEqual([]);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.events).toEqual([]);
  });

  test('a different order of keys is the same call', async () => {
    const { paid, pending, go } = await written();
    const shuffled = Object.fromEntries(Object.entries(pending).reverse());
    expect((await go(shuffled)).kind).toBe('succeeded');
    expect(paid).toEqual([3]);
  });
});
