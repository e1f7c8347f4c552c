import { ToolInvoked } from 'toolwright/events';
import { answer, entriesOf, openDesk, outcomesOf, parks, pay, reread } from './answeringDesk';

const done = [{ text: 'Done.' }];
const edited = { kind: 'approved', by: 'ada', arguments: { amount: 20 } } as const;

test('a call that is approved with other arguments runs with them, and the model reads them', async () => {
  const { park, run, paid, judged, events } = await openDesk();
  const conversation = await park({ amount: 30 });
  await answer(conversation, edited);
  expect((await run(reread(conversation), done)).text).toBe('Done.');
  await run(conversation, done);
  expect(paid.map(({ amount }) => amount)).toEqual([20, 20]);
  expect(judged).toEqual([30, 20, 20]);
  expect(outcomesOf(conversation)).toEqual([
    'paid 20\n\n[A person approved this call with other arguments: {"amount":20}. Your own arguments were not used.]',
  ]);
  expect(entriesOf(conversation, 'answer')[0]?.toolCalls[0]?.arguments).toEqual({ amount: 30 });
  expect(entriesOf(conversation, 'reply')[0]?.reply).toEqual(edited);
  const invoked = events.filter((event) => event instanceof ToolInvoked);
  expect(invoked.map(({ params, approved }) => [params, approved])).toEqual([
    [{ amount: 20 }, true],
    [{ amount: 20 }, true],
  ]);
});

test('the idempotency key of an edited call depends on the arguments that it runs with', async () => {
  const { park, run, paid } = await openDesk();
  const conversation = await park({ amount: 30 });
  const copies = [reread(conversation), reread(conversation), reread(conversation), reread(conversation)];
  const replies = [{ amount: 20 }, { amount: 20 }, { amount: 21 }, undefined];
  for (const [index, copy] of copies.entries()) {
    await answer(copy, { kind: 'approved', arguments: replies[index] });
    await run(copy, done);
  }
  const [first, same, other, own] = paid.map(({ key }) => key);
  expect(same).toBe(first);
  expect(new Set([first, other, own]).size).toBe(3);
  const { pending } = await parks(run(reread(await park({ amount: 30 })), [pay({ amount: 30 })], 'Again.'));
  expect(pending.idempotencyKey).not.toBe(own);
});

test('a person who sends the arguments of the model has changed nothing', async () => {
  const { park, run, paid } = await openDesk();
  const conversation = await park('{"amount": 30}');
  const copy = reread(conversation);
  await answer(conversation, { kind: 'approved', arguments: { amount: 30 } });
  await answer(copy, { kind: 'approved' });
  await run(conversation, done);
  await run(copy, done);
  expect(paid[0]).toEqual(paid[1]);
  expect([outcomesOf(conversation), outcomesOf(copy)]).toEqual([['paid 30'], ['paid 30']]);
});

test('arguments that the tool refuses are asked about again with the reason, and the call never runs with those of the model', async () => {
  const { park, run, paid, warnings } = await openDesk({ repair: 'on' });
  const conversation = await park({ amount: 30 });
  for (const wrong of [{ amount: 0 }, { amount: '5' }, {}, { amount: 5, account: 'c' }, { amount: 5, other: 1 }]) {
    const before = await answer(conversation, { kind: 'approved', arguments: wrong });
    await parks(run(conversation, []));
    const [question] = conversation.questions;
    expect(question?.id).not.toBe(before);
    expect(question).toMatchObject({ about: 'approval', name: 'pay', arguments: { amount: 30 } });
    expect(question?.reason).toMatch(/^The arguments of pay were not accepted: /);
    expect(reread(conversation).questions).toMatchObject(conversation.questions);
  }
  expect(paid).toEqual([]);
  expect(warnings).toHaveLength(5);
  await answer(conversation, { kind: 'approved' });
  await run(conversation, done);
  expect(paid).toMatchObject([{ amount: 30 }]);
  expect(outcomesOf(conversation)).toEqual(['paid 30']);
});

test('the policies judge the arguments that a person wrote', async () => {
  const { park, run, paid } = await openDesk({ most: 50 });
  const conversation = await park({ amount: 30 });
  await answer(conversation, { kind: 'approved', arguments: { amount: 60 } });
  await run(conversation, done);
  expect(paid).toEqual([]);
  expect(outcomesOf(conversation)[0]).toMatch(/denied: at most 50\n[^]*other arguments: \{"amount":60\}/);
});

test('a failing handler fails with the arguments that it ran with', async () => {
  const onPay = (): never => {
    throw new TypeError('no money');
  };
  const { park, run } = await openDesk({ onPay });
  const conversation = await park({ amount: 30 });
  await answer(conversation, edited);
  await run(conversation, done);
  expect(outcomesOf(conversation)[0]).toMatch(/no money[^]*other arguments: \{"amount":20\}/);
});

test('an edited approval does not hold for another version of the tool, and no approver decides in place of the person', async () => {
  const { park } = await openDesk();
  const conversation = await park({ amount: 30 });
  await answer(conversation, edited);
  const next = await openDesk({ pays: 'Pays twice.', approver: { approve: () => ({ kind: 'approved' }) } });
  await parks(next.run(conversation, []));
  expect(next.paid).toEqual([]);
  expect(next.judged).toEqual([]);
  expect(conversation.questions).toMatchObject([{ reason: expect.stringContaining('have changed') as unknown }]);
});

test('an edited approval that does not hold is not decided by an approver, whether its call has changed or its effects', async () => {
  const { park } = await openDesk();
  const conversation = await park({ amount: 30 });
  await answer(conversation, { ...edited, seen: 'other effects' });
  const next = await openDesk({ approver: { approve: () => ({ kind: 'approved' }) } });
  await parks(next.run(conversation, []));
  expect(next.paid).toEqual([]);
  expect(conversation.questions).toMatchObject([{ reason: expect.stringContaining('effects') as unknown }]);
});

test('a fork asks again, and has nothing of the arguments that a person wrote', async () => {
  const { park, run, paid } = await openDesk();
  const conversation = await park({ amount: 30 });
  await answer(conversation, edited);
  const fork = conversation.fork();
  await parks(run(fork, []));
  expect(JSON.stringify(fork)).not.toContain('"amount":20');
  expect(paid).toEqual([]);
});

test('a call that was cut off is asked about, repeated and described with the arguments that a person wrote', async () => {
  const { park, run, paid } = await openDesk();
  const conversation = await park({ amount: 30 });
  await answer(conversation, edited);
  const { entries, ...head } = conversation.toJSON();
  const begun = { kind: 'begun', version: entries[0]?.version, call: '1.0', name: 'pay' } as const;
  const cut = () => reread({ toJSON: () => ({ ...head, entries: [...entries, begun] }) } as never);
  const asking = cut();
  await expect(run(asking, [], undefined, { onUnknown: 'ask' })).rejects.toMatchObject({ code: 'E731' });
  expect(asking.questions).toMatchObject([{ about: 'unknown', arguments: { amount: 20 } }]);
  await answer(asking, { kind: 'repeat' });
  await run(asking, done, undefined, { onUnknown: 'ask' });
  const [question] = entriesOf(asking, 'question');
  expect(question?.arguments).toEqual({ amount: 30 });
  const failing = cut();
  await run(failing, done);
  expect(outcomesOf(failing)[0]).toMatch(/not known whether it had an effect[^]*\{"amount":20\}/);
  const repeated = cut();
  await run(repeated, done, undefined, { onUnknown: 'repeat' });
  expect(paid.map(({ amount }) => amount)).toEqual([20, 20]);
  expect(new Set(paid.map(({ key }) => key)).size).toBe(1);
  const abandoned = cut();
  await run(abandoned, done, 'Never mind.');
  expect(JSON.stringify(entriesOf(abandoned, 'end')[0])).toContain('A person approved this call with other arguments');
});

test('what the hook hides in logs is hidden in the note to the model, in events and in reasons', async () => {
  const redact = (text: string): string => text.replaceAll('4111', '****');
  const { park, run, events, warnings } = await openDesk({ redact });
  const conversation = await park({ amount: 30 });
  await answer(conversation, { kind: 'approved', arguments: { amount: 20, account: '4111' } });
  await parks(run(conversation, []));
  expect(conversation.questions[0]?.reason).not.toContain('4111');
  expect(JSON.stringify([events, warnings])).not.toContain('4111');
});

test('arguments that became secret since they were approved are hidden, and the call is denied', async () => {
  const { park } = await openDesk();
  const conversation = await park({ amount: 30 });
  await answer(conversation, { kind: 'approved', arguments: { amount: 987_654_321 } });
  const next = await openDesk({ hasSecrets: true });
  await next.run(conversation, done);
  expect(next.paid).toEqual([]);
  expect(outcomesOf(conversation)[0]).toMatch(
    /denied: it needs an approval at once, because the arguments may hold a secret/,
  );
  expect(JSON.stringify([outcomesOf(conversation), next.events, next.warnings])).not.toContain('987654321');
});

test('arguments that are not JSON, or too much of it, are refused at once (E735)', async () => {
  const { park } = await openDesk();
  const conversation = await park({ amount: 30 });
  const [question] = conversation.questions;
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const wrong: readonly unknown[] = [
    ...[null, 'text', 5, [], [1], { a: Number.NaN }, { a: 1n }, { a: () => 1 }, { a: new Date(0) }, { a: new Map() }],
    ...[deep(100), cyclic, JSON.parse('{"__proto__":{"amount":1}}') as unknown, { a: 'x'.repeat(100_001) }],
    { a: Array.from({ length: 30_000 }, () => 1) },
    Object.defineProperty({}, 'amount', {
      enumerable: true,
      get: () => {
        throw new TypeError('unreadable');
      },
    }),
  ];
  for (const given of wrong)
    await expect(
      conversation.reply(question?.id ?? '', { kind: 'approved', arguments: given as never }),
    ).rejects.toMatchObject({ code: 'E735' });
  for (const reply of [
    { kind: 'denied', reason: 'no', arguments: {} },
    { kind: 'approved', argument: {} },
  ])
    await expect(conversation.reply(question?.id ?? '', reply as never)).rejects.toMatchObject({ code: 'E735' });
  expect(conversation.questions).toHaveLength(1);
});

test('the arguments of a reply are read once, and later changes of the object have no effect', async () => {
  const { park, run, paid } = await openDesk();
  const conversation = await park({ amount: 30 });
  let reads = 0;
  const given = Object.defineProperty({}, 'amount', { enumerable: true, get: () => 20 + reads++ });
  await answer(conversation, { kind: 'approved', arguments: given });
  await run(conversation, done);
  expect(paid).toMatchObject([{ amount: 20 }]);
});

test('a waiting call without a conversation takes no other arguments (E735), and neither does the answer of an approver', async () => {
  const { app, Till } = await openDesk();
  const rendered = await app.prompt(Till).render();
  const { pending } = await parks(app.invoke(rendered, 'pay', { amount: 5 }));
  const reply = { kind: 'approved', arguments: { amount: 1 } } as const;
  await expect(app.continueCall(rendered, pending, reply)).rejects.toMatchObject({ code: 'E735' });
  const eager = await openDesk({ approver: { approve: () => reply } });
  const { text } = await eager.app.invoke(await eager.app.prompt(eager.Till).render(), 'pay', { amount: 5 });
  expect(text).toContain('denied');
  expect(eager.paid).toEqual([]);
});
