import fc from 'fast-check';
import { Conversation, type QuestionReply } from 'toolwright/conversations';
import { defineTool, definePrompt, defineSection, createApplication, Session, type ToolContext } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { silent } from '../../support/silent';
import { answer, entriesOf, openDesk, outcomesOf, parks, pay, reread } from './answeringDesk';

const no = { kind: 'denied', reason: 'too much' } as const;
const held = { ...no, until: 'lifted' } as const;
const look = { toolCalls: [{ name: 'look', arguments: {} }] };
const done = { text: 'Done.' };
const again =
  'A person has denied the same call before, and is not asked about it again before the next message of the user.';
const heldText =
  'A person has denied the same call before, and no person is asked about it again until that denial is lifted.';

test('a call that a person denied is denied again with the same reason, in every process, and no person is asked', async () => {
  const { park, run, paid, asked } = await openDesk();
  const conversation = await park('{"amount": 30, "account": "a"}');
  await answer(conversation, no);
  const copy = reread(conversation);
  const script = [pay({ account: 'a', amount: 30 }), look, pay('{"account":"a","amount":30.0}'), done];
  for (const each of [conversation, copy]) {
    await run(each, script);
    const [first, second, , third] = outcomesOf(each);
    expect(first).toMatch(/^The call of pay was denied: too much\nNothing was done\./);
    expect(second).toMatch(new RegExp(`^The call of pay was denied: too much\\n${again} Nothing was done\\.`));
    expect(third).toBe(second);
    expect(entriesOf(each, 'outcome').map(({ outcome }) => outcome)).toEqual([
      'denied',
      'denied',
      'succeeded',
      'denied',
    ]);
  }
  expect([paid, asked()]).toEqual([[], 1]);
});

test('a denial is only of the same arguments', async () => {
  const { park, run } = await openDesk();
  const conversation = await park({ amount: 30 });
  await answer(conversation, no);
  await parks(run(conversation, [pay({ amount: 31 })]));
  expect(conversation.questions).toMatchObject([{ call: '2.0', arguments: { amount: 31 } }]);
  await answer(conversation, { kind: 'approved' });
  await run(conversation, [done]);
  expect(outcomesOf(conversation)[1]).toBe('paid 31');
});

test('the next message of the user ends a denial', async () => {
  const { park, run } = await openDesk();
  const conversation = await park({ amount: 30 });
  await answer(conversation, no);
  await run(conversation, [done]);
  await parks(run(conversation, [pay({ amount: 30 })], 'Do it.'));
  expect(conversation.questions).toHaveLength(1);
});

test('a steering message ends a denial in its run, and in a process that continues it', async () => {
  const { park, run } = await openDesk();
  const conversation = await park({ amount: 30 });
  await answer(conversation, no);
  conversation.steer('Please ask again.');
  await parks(run(conversation, [pay({ amount: 30 })]));
  expect(entriesOf(conversation, 'steering')).toHaveLength(1);
  expect(conversation.questions).toHaveLength(1);
  const { entries, ...head } = conversation.toJSON();
  const cut = Conversation.fromJSON({ ...head, entries: entries.filter((entry, at) => at < entries.length - 1) });
  await parks(run(cut, []));
  expect(cut.questions).toHaveLength(1);
});

test('a run without a message of the user keeps the denials of the run that failed before it', async () => {
  const { park, run } = await openDesk();
  const conversation = await park({ amount: 30 });
  await answer(conversation, no);
  const failing = () => {
    throw new TypeError('out of order');
  };
  await expect(run(conversation, [failing as never])).rejects.toThrow();
  await run(conversation, [pay({ amount: 30 }), done]);
  expect(outcomesOf(conversation).at(-1)).toContain(again);
});

test('a denial that holds until it is lifted holds after messages of the user, and in forks', async () => {
  const { park, run, paid, asked } = await openDesk();
  const conversation = await park({ amount: 30 });
  const question = await answer(conversation, held);
  const early = conversation.fork();
  await run(early, [done]);
  expect(outcomesOf(early)).toEqual([expect.stringContaining('too much') as unknown]);
  await run(conversation, [done]);
  for (const each of [conversation, reread(conversation), conversation.fork(), early]) {
    await run(each, [pay({ amount: 30 }), done], 'Do it.');
    expect(outcomesOf(each).at(-1)).toContain(heldText);
    expect(await each.reply(question, { kind: 'lifted', by: 'grace' })).toBe('taken');
    expect(await each.reply(question, { kind: 'lifted' })).toBe('late');
    expect(await each.reply(question, { kind: 'approved' })).toBe('late');
    await parks(run(reread(each), [pay({ amount: 30 })], 'And now?'));
  }
  expect([paid, asked()]).toEqual([[], 5]);
});

test('a fork from before a denial asks again, and runs nothing', async () => {
  const { park, run, paid } = await openDesk();
  const conversation = await park({ amount: 30 });
  await answer(conversation, held);
  await run(conversation, [done]);
  const [begun] = entriesOf(conversation, 'run');
  const fork = conversation.fork({ before: begun?.run ?? '' });
  await parks(run(fork, [pay({ amount: 30 })], 'Pay.'));
  expect(paid).toEqual([]);
});

test('a denial that holds cannot be gone around by an approval with other arguments', async () => {
  const { park, run, paid } = await openDesk();
  const conversation = await park({ amount: 30 });
  const question = await answer(conversation, held);
  await parks(run(conversation, [pay({ amount: 31 })]));
  await answer(conversation, { kind: 'approved', arguments: { amount: 30 } });
  await parks(run(conversation, [pay({ amount: 32 })]));
  expect(outcomesOf(conversation)[1]).toContain(heldText);
  expect(paid).toEqual([]);
  expect(await conversation.reply(question, { kind: 'lifted', by: 'grace' })).toBe('taken');
  await answer(conversation, { kind: 'approved', arguments: { amount: 30 } });
  await run(conversation, [done]);
  expect(paid).toMatchObject([{ amount: 30 }]);
});

test('an approval with the arguments of a call that was denied until the next message counts: a person wrote them', async () => {
  const { park, run, paid } = await openDesk();
  const conversation = await park({ amount: 30 });
  await answer(conversation, no);
  await parks(run(conversation, [pay({ amount: 31 })]));
  await answer(conversation, { kind: 'approved', arguments: { amount: 30 } });
  await run(conversation, [pay({ amount: 30 }), done]);
  expect(paid).toMatchObject([{ amount: 30 }]);
  expect(outcomesOf(conversation)[2]).toContain(again);
});

test('a denial also denies the call when its tool needs no approval any more', async () => {
  const { park, run } = await openDesk();
  const conversation = await park({ amount: 30 });
  await answer(conversation, held);
  await run(conversation, [done]);
  const next = await openDesk({ requiresApproval: false });
  await next.run(conversation, [pay({ amount: 30 }), pay({ amount: 31 }), done], 'Do it.');
  expect(outcomesOf(conversation).at(-2)).toContain(heldText);
  expect(next.paid).toMatchObject([{ amount: 31 }]);
});

test('calls that a handler makes, and calls of a run within a call, are denied as well', async () => {
  const paid: number[] = [];
  const pays = defineTool({
    name: 'pay',
    description: 'Pays.',
    requiresApproval: true,
    handler: () => `paid ${String(paid.push(1))}`,
  });
  const texts: string[] = [];
  const inner = definePrompt({
    ns: 'spec',
    key: 'inner',
    sections: [defineSection({ key: 'till', title: 'Till', template: 'Pay.', tools: [pays] })],
  });
  const around = defineTool({
    name: 'around',
    description: 'Calls pay.',
    handler: async (_params: unknown, context: ToolContext) => {
      texts.push((await context.callTool({ id: 'inner', name: 'pay', arguments: {} })).text);
      await context.run?.evaluate(app.prompt(inner), { messages: [{ role: 'user', content: 'Pay.' }] });
      return 'tried';
    },
  });
  const section = defineSection({ key: 'till', title: 'Till', template: 'Pay.', tools: [pays, around] });
  const Till = definePrompt({ ns: 'spec', key: 'till', sections: [section] });
  let kind: 'later' | 'approved' = 'later';
  const app = await createApplication({
    prompts: [Till, inner],
    logger: silent,
    approver: { approve: () => ({ kind }) },
  });
  const conversation = new Conversation();
  const call = (name: string) => ({ toolCalls: [{ name, arguments: {} }] });
  const evaluate = (script: ConstructorParameters<typeof ScriptedModel>[0], content: string) =>
    app.evaluate(app.prompt(Till), {
      adapter: new ScriptedModel(script),
      session: new Session(),
      conversation,
      ...(content === '' ? {} : { messages: [{ role: 'user', content }] }),
    });
  await parks(evaluate([call('pay')], 'Pay.'));
  await answer(conversation, held);
  await evaluate([done], '');
  kind = 'approved';
  const model = new ScriptedModel([call('around'), call('pay'), done, done]);
  await app.evaluate(app.prompt(Till), {
    adapter: model,
    session: new Session(),
    conversation,
    messages: [{ role: 'user', content: 'Go on.' }],
  });
  expect(paid).toEqual([]);
  expect(texts).toEqual([expect.stringContaining(heldText)]);
  const nested = model.requests.map(({ messages }) => messages.at(-1)?.content ?? '');
  expect(nested.filter((content) => content.includes(heldText))).toHaveLength(1);
});

test('a reply that lifts a denial is refused where none holds, where the question is open, and while the run goes on (E735)', async () => {
  const { park, run } = await openDesk();
  const conversation = await park({ amount: 30 });
  const [open] = conversation.questions;
  const lift = (question = open?.id ?? '') => conversation.reply(question, { kind: 'lifted' });
  await expect(lift()).rejects.toThrow(/takes a reply of kind approved, denied, not lifted/);
  await expect(lift('another')).rejects.toMatchObject({ code: 'E709' });
  await answer(conversation, held);
  await expect(lift()).rejects.toThrow(/the run .* goes on; the denial can be lifted when its run waits or has ended/);
  await run(conversation, [done]);
  expect(await lift()).toBe('taken');
  await parks(run(conversation, [pay({ amount: 30 })], 'Again.'));
  const plain = await answer(conversation, no);
  await run(conversation, [done]);
  await expect(lift(plain)).rejects.toThrow(/no denial answered it that holds until it is lifted/);
});

test('the question of another call at the same place stays open when a denial is lifted', async () => {
  const { park, run } = await openDesk();
  const conversation = await park({ amount: 30 });
  const question = await answer(conversation, held);
  await run(conversation, [done]);
  await parks(run(conversation, [pay({ amount: 31 })], 'Less?'));
  expect(conversation.questions).toMatchObject([{ call: '1.0' }]);
  expect(await conversation.reply(question, { kind: 'lifted' })).toBe('taken');
  expect(reread(conversation).questions).toMatchObject([{ call: '1.0', arguments: { amount: 31 } }]);
  const fork = conversation.fork();
  expect(entriesOf(fork, 'reply').map(({ reply }) => reply.kind)).toEqual(['denied', 'lifted']);
  await parks(run(fork, []));
});

test('a log in which a denial is lifted that does not hold is refused (E709)', async () => {
  const { park, run } = await openDesk();
  const conversation = await park({ amount: 30 });
  const question = await answer(conversation, held);
  await run(conversation, [done]);
  await conversation.reply(question, { kind: 'lifted' });
  const { entries, ...head } = conversation.toJSON();
  const last = entries.at(-1);
  expect(() => Conversation.fromJSON({ ...head, entries: [...entries, last] as never })).toThrow(
    /where no denial holds/,
  );
});

/** What a person, a user and a host do, in any order. */
const act = fc.oneof(
  fc.record({ do: fc.constant('call' as const), amount: fc.integer({ min: 1, max: 2 }) }),
  fc.record({
    do: fc.constant('reply' as const),
    kind: fc.constantFrom('approved' as const, 'denied' as const, 'held' as const, 'edited' as const, 'wrong' as const),
    amount: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({ do: fc.constant('say' as const) }),
  fc.record({ do: fc.constant('lift' as const), amount: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ do: fc.constant('stale' as const) }),
  fc.record({ do: fc.constant('reread' as const) }),
);

test('whatever people reply, in whatever order, a call runs only with arguments that a person approved, and no denied call does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 24 }), async (acts) => {
      const { run, paid } = await openDesk();
      let conversation = new Conversation();
      const allowed: number[] = [];
      const denied = new Map<number, 'message' | 'lifted'>();
      const holds = new Map<number, string>();
      const past: string[] = [];
      /** Goes on with the run: it parks, or ends. */
      const go = async (script: Parameters<typeof run>[1], text?: string): Promise<void> => {
        await run(conversation, [...script, done], text).catch((error: unknown) => {
          if ((error as { readonly code?: string }).code !== 'E711') throw error;
        });
      };
      const before = (): number => paid.length;
      for (const one of acts) {
        const [open] = conversation.questions;
        const count = before();
        const amountOf = (): number => (open?.arguments as { readonly amount: number }).amount;
        switch (one.do) {
          case 'reread':
            conversation = reread(conversation);
            break;
          case 'say':
            for (const [amount, until] of denied) if (until === 'message') denied.delete(amount);
            await go([], 'Hello.');
            break;
          case 'call':
            if (open !== undefined) break;
            for (const [amount, until] of denied) if (until === 'message') denied.delete(amount);
            await go([pay({ amount: one.amount })], 'Pay.');
            expect(conversation.questions).toHaveLength(denied.has(one.amount) ? 0 : 1);
            break;
          case 'stale':
            for (const id of past)
              expect(await conversation.reply(id, { kind: 'approved', arguments: { amount: 1 } })).toBe('late');
            break;
          case 'lift': {
            const id = holds.get(one.amount);
            if (id === undefined) break;
            expect(await conversation.reply(id, { kind: 'lifted' })).toBe('taken');
            holds.delete(one.amount);
            denied.delete(one.amount);
            break;
          }
          case 'reply': {
            if (open === undefined) break;
            const replies: Readonly<Record<typeof one.kind, QuestionReply>> = {
              approved: { kind: 'approved' },
              denied: no,
              held,
              edited: { kind: 'approved', arguments: { amount: one.amount } },
              wrong: { kind: 'approved', arguments: { amount: -one.amount } },
            };
            expect(await conversation.reply(open.id, replies[one.kind])).toBe('taken');
            past.push(open.id);
            if (one.kind === 'denied') denied.set(amountOf(), 'message');
            if (one.kind === 'held') {
              denied.set(amountOf(), 'lifted');
              holds.set(amountOf(), open.id);
            }
            if (one.kind === 'approved') allowed.push(amountOf());
            if (one.kind === 'edited' && denied.get(one.amount) !== 'lifted') allowed.push(one.amount);
            // The model tries the same again.
            await go([pay({ amount: amountOf() })]);
            break;
          }
        }
        if (one.do !== 'reply') expect(paid.length).toBe(count);
        expect(paid.map(({ amount }) => amount)).toEqual(allowed);
        expect(() => reread(conversation)).not.toThrow();
      }
    }),
    { numRuns: 60 },
  );
});
