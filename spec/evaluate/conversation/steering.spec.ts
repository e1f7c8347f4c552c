import fc from 'fast-check';
import type { StreamEvent } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { logOf, reopened } from '../../support/reopened';
import { call, deskOf, expectAppended, freshSession, notesOf, user } from './desk';

const saidBy = (conversation: Conversation): readonly (string | null)[] =>
  conversation.messages.slice(1).map(({ role, content }) => `${role}: ${content ?? ''}`);

describe('steering a run', () => {
  test('the next request after the calls of a turn contains the message, behind their outcomes', async () => {
    const conversation = new Conversation();
    const { run } = await deskOf({ started: () => void conversation.steer('Only one, please.', { id: 's-1' }) });
    const { adapter } = await run([{ toolCalls: [call('keep')] }, { text: 'Done.' }], {
      conversation,
      session: freshSession(),
      messages: user('Note it.'),
    });
    expect(adapter.requests[1]?.messages.slice(-2)).toMatchObject([
      { role: 'tool', content: 'keep 1' },
      { role: 'user', content: 'Only one, please.' },
    ]);
    expect(logOf(conversation).find(({ kind }) => kind === 'steering')).toMatchObject({ turn: 1, id: 's-1' });
    expectAppended(adapter.requests);
  });

  test('an answer that would have been the last gets one more request', async () => {
    const conversation = new Conversation();
    const { run } = await deskOf();
    const answer: ScriptStep = () => {
      conversation.steer('And tomorrow?');
      return { text: 'Rain today.' };
    };
    const { response } = await run([answer, { text: 'Sun tomorrow.' }], {
      conversation,
      session: freshSession(),
      messages: user('The weather?'),
    });
    expect([response.text, response.turns]).toEqual(['Sun tomorrow.', 2]);
    expect(saidBy(conversation)).toEqual([
      'user: The weather?',
      'assistant: Rain today.',
      'user: And tomorrow?',
      'assistant: Sun tomorrow.',
    ]);
  });

  test('a stream shows the message where the model hears it', async () => {
    const conversation = new Conversation();
    const { app, prompt } = await deskOf({ started: () => void conversation.steer('Stop after that.', { id: 's-1' }) });
    const adapter = new ScriptedModel([{ toolCalls: [call('keep')] }, { text: 'Done.' }]);
    const events: StreamEvent[] = [];
    for await (const event of app.stream(prompt, {
      adapter,
      conversation,
      session: freshSession(),
      messages: user('Note it.'),
    }))
      events.push(event);
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.slice(kinds.indexOf('outcome'), kinds.indexOf('steering') + 2)).toEqual([
      'outcome',
      'steering',
      'text',
    ]);
    expect(events.find(({ kind }) => kind === 'steering')).toEqual({
      kind: 'steering',
      turn: 1,
      seq: 6,
      id: 's-1',
      message: { role: 'user', content: 'Stop after that.' },
    });
  });

  test('a message that comes twice is heard once, also by another process', async () => {
    const conversation = new Conversation();
    const answers: string[] = [];
    const { run } = await deskOf({
      started: () => {
        for (let time = 0; time < 2; time++) answers.push(conversation.steer('Once.', { id: 's-1' }));
      },
    });
    const options = { conversation, session: freshSession(), messages: user('Note it.') };
    await run([{ toolCalls: [call('keep')] }, { text: 'Done.' }], options);
    expect(answers).toEqual(['taken', 'late']);
    expect(conversation.messages.filter(({ content }) => content === 'Once.')).toHaveLength(1);
    expect(reopened(conversation, logOf(conversation).length).steer('Once.', { id: 's-1' })).toBe('late');
  });

  test('a process that ends after an answer was steered asks again, and does not take the answer for the last one', async () => {
    const conversation = new Conversation();
    const { run } = await deskOf();
    const answer: ScriptStep = () => {
      conversation.steer('And tomorrow?');
      return { text: 'Rain today.' };
    };
    await run([answer, { text: 'Sun tomorrow.' }], { conversation, session: freshSession(), messages: user('Now?') });
    const steered = logOf(conversation).findIndex(({ kind }) => kind === 'steering');
    const again = reopened(conversation, steered + 1);
    const { response, adapter } = await run([{ text: 'Sun.' }], { conversation: again, session: freshSession() });
    expect([response.text, adapter.requests.length]).toEqual(['Sun.', 1]);
  });

  test('without a run, the next one begins with the message', async () => {
    const conversation = new Conversation();
    const { run } = await deskOf();
    const session = freshSession();
    await run([{ text: 'Hello.' }], { conversation, session, messages: user('Hi.') });
    conversation.steer('The order is 17.');
    const { adapter } = await run([{ text: 'Thanks.' }], { conversation, session });
    expect(adapter.requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'The order is 17.' });
  });

  test('a run without a request left ends, and the next one begins with the message', async () => {
    const conversation = new Conversation();
    const { run } = await deskOf();
    const session = freshSession();
    const answer: ScriptStep = () => {
      conversation.steer('One more thing.');
      return { text: 'Done.' };
    };
    const { response } = await run([answer], { conversation, session, messages: user('Go.'), maxTurns: 1 });
    expect(response.text).toBe('Done.');
    await run([{ text: 'Yes?' }], { conversation, session, messages: user('Are you there?') });
    expect(saidBy(conversation).slice(2, 4)).toEqual(['user: One more thing.', 'user: Are you there?']);
  });

  test.each([
    ['a number', 7],
    ['nothing', undefined],
    ['an object', { content: 'Hi.' }],
  ])('%s in place of a text is refused with its place', (_what, text: unknown) => {
    expect(() => new Conversation().steer(text as string)).toThrow(
      expect.objectContaining({
        code: 'E412',
        message: expect.stringContaining('conversation.steer') as string,
      }) as Error,
    );
  });

  test('an id that is not a text is refused', () => {
    expect(() => new Conversation().steer('Hi.', { id: '' })).toThrow(
      expect.objectContaining({ code: 'E709' }) as Error,
    );
  });
});

test('a process that ends anywhere after a message was heard goes on without losing or repeating it', async () => {
  const script: readonly ScriptStep[] = [
    { toolCalls: [call('keep')] },
    { text: 'Half.' },
    { toolCalls: [call('keep')] },
    { text: 'Whole.' },
  ];
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 0, max: 3 })), fc.nat(20), async (at, cut) => {
      const conversation = new Conversation({ id: 'c' });
      const { run } = await deskOf();
      const steered = script.map((step, index): ScriptStep => () => {
        if (at.includes(index)) conversation.steer(`Message ${String(index)}.`, { id: String(index) });
        return step as Exclude<ScriptStep, (...all: never) => unknown>;
      });
      await run(steered, { conversation, session: freshSession(), messages: user('Go.'), maxTurns: 9 }).catch(
        () => undefined,
      );
      const whole = logOf(conversation);
      const begun = whole.findIndex(({ kind }) => kind === 'run') + 1;
      const length = Math.min(begun + cut, whole.length);
      const left = whole.slice(0, length);
      const heard = left.flatMap((entry) => (entry.kind === 'steering' ? [entry.id] : []));
      const answers = left.filter(({ kind }) => kind === 'answer').length;
      const again = reopened(conversation, length);
      const session = freshSession();
      if (left.at(-1)?.kind !== 'end')
        await run(script.slice(answers), { conversation: again, session, maxTurns: 9 }).catch(() => undefined);
      const said = again.messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
      expect(said).toEqual(['Go.', ...heard.map((id) => `Message ${id}.`)]);
      expect(new Set(notesOf(session)).size).toBeLessThanOrEqual(1);
    }),
    { numRuns: 60 },
  );
});
