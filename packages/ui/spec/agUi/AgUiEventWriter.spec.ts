import { AgUiEventWriter, type InterruptDetails } from '../../src/agUi/AgUiEventWriter';
import type { AgUiEvent, AgUiGeneration } from '../../src/agUi/agUiEvents';
import { toAgUiMessages } from '../../src/agUi/toAgUiMessages';
import type { ApprovalDescription } from '../../src/chats/ApprovalDescription';
import { Client, generations, respondWith, type Reading } from './clients';
import { makeCall, Script } from './runEvents';

const options = { thread: 'thread', request: 'request', run: 'c/m1' };

/** Writes a stream as the handler does. @param known the number of events that the client has */
function writeStream(
  generation: AgUiGeneration,
  script: Script,
  known = 0,
  details: ReadonlyMap<string, InterruptDetails> = new Map(),
): readonly AgUiEvent[] {
  const writer = new AgUiEventWriter({ ...options, generation });
  const events: AgUiEvent[] = [writer.start()];
  const snapshot = (): void => {
    const seen = script.history.filter(({ kind, seq = 0 }) => kind === 'run' || seq <= writer.seq);
    events.push({ type: 'MESSAGES_SNAPSHOT', messages: toAgUiMessages(seen, generation) });
  };
  for (const [index, event] of script.events.entries()) {
    if (index < known) {
      writer.skip(event);
      continue;
    }
    events.push(...writer.write(event));
    if (writer.needsSnapshot) snapshot();
  }
  if (writer.questions.length > 0) snapshot();
  events.push(...writer.finish(details));
  return events;
}

/** Lets a real client read a stream. */
async function read(
  generation: AgUiGeneration,
  script: Script,
): Promise<Reading & { readonly client: Client; readonly types: readonly string[] }> {
  const events = writeStream(generation, script);
  const client = new Client(generation, respondWith(events));
  client.say('m1', 'Hello');
  const reading = await client.run();
  expect(reading.refusal).toBeUndefined();
  expect(reading.warnings).toEqual([]);
  expect(client.messages).toEqual(toAgUiMessages(script.history, generation));
  return { ...reading, client, types: events.map(({ type }) => type) };
}

function begin(): Script {
  const script = new Script();
  script.run('c/m1', 'Hello');
  return script;
}

describe.each(generations)('streams for clients of AG-UI %s', (generation) => {
  const isNew = generation === '1.0';

  test('a text is one message with a START, CONTENT for each piece, and an END before RUN_FINISHED', async () => {
    const script = begin().piece({ kind: 'text', text: 'Hel' }).piece({ kind: 'text', text: 'lo' });
    const { types, client } = await read(generation, script.answer('Hello').end('c/m1'));
    expect(types).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ]);
    expect(client.messages.at(-1)).toEqual({ id: 'c/m1:1', role: 'assistant', content: 'Hello' });
  });

  test('RUN_STARTED names thread and request, and the version of the protocol only for 1.0', () => {
    expect(writeStream(generation, begin().answer('Hi').end('c/m1')).at(0)).toEqual({
      type: 'RUN_STARTED',
      threadId: 'thread',
      runId: 'request',
      ...(isNew ? { protocolVersion: '1.0' } : {}),
    });
  });

  test('an answer that came without pieces is written as a whole', async () => {
    const { client } = await read(generation, begin().answer('Hello').end('c/m1'));
    expect(client.messages).toHaveLength(2);
  });

  test('reasoning is a message of the role reasoning, closed with its span before RUN_FINISHED', async () => {
    const script = begin().piece({ kind: 'reasoning', text: 'Hm' }).piece({ kind: 'text', text: 'Yes' });
    const { types, client } = await read(generation, script.answer('Yes').end('c/m1'));
    expect(types.slice(1, 6)).toEqual([
      'REASONING_START',
      'REASONING_MESSAGE_START',
      'REASONING_MESSAGE_CONTENT',
      'REASONING_MESSAGE_END',
      'REASONING_END',
    ]);
    expect(client.allMessages).toContainEqual({ id: 'c/m1:1.reasoning.1', role: 'reasoning', content: 'Hm' });
  });

  test('reasoning between two pieces of a text leaves one message of the assistant', async () => {
    const script = begin().piece({ kind: 'text', text: 'A' }).piece({ kind: 'reasoning', text: 'Hm' });
    await read(generation, script.piece({ kind: 'text', text: 'B' }).answer('AB').end('c/m1'));
  });

  test('a call has a START within its message, ARGS while they are written, an END, and a RESULT', async () => {
    const script = begin().input('x', 'ship', '{"to":').input('x', 'ship', '"Ada"}');
    script
      .answer(null, [makeCall('x')])
      .outcome(0, 'Shipped.')
      .answer('Done')
      .end('c/m1');
    const { types, client } = await read(generation, script);
    expect(types.slice(1, 6)).toEqual([
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
      'TOOL_CALL_RESULT',
    ]);
    expect(client.messages.slice(1, 3)).toEqual([
      {
        id: 'c/m1:1',
        role: 'assistant',
        toolCalls: [{ id: 'c/m1-1-x', type: 'function', function: { name: 'ship', arguments: '{"to":"Ada"}' } }],
      },
      { id: 'c/m1:1.0', role: 'tool', toolCallId: 'c/m1-1-x', content: 'Shipped.' },
    ]);
  });

  test('the same id of a provider in two turns is two calls', async () => {
    const script = begin()
      .answer(null, [makeCall('x')])
      .outcome(0, 'One')
      .answer(null, [makeCall('x')]);
    await read(generation, script.outcome(0, 'Two').answer('Done').end('c/m1'));
  });

  test('two calls of one turn with the same id are two calls, and a call that came twice is one', async () => {
    const script = begin().answer(null, [makeCall('x'), makeCall('x'), makeCall('x', 'pack')]);
    const { client } = await read(generation, script.outcome(0, 'S').outcome(2, 'P').answer('Done').end('c/m1'));
    expect(client.messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
  });

  test('arguments that are an object or empty are written as JSON', async () => {
    const calls = [makeCall('a', 'ship', { to: 'Ada' }), makeCall('b', 'ship', ''), makeCall('c', 'ship', null)];
    const script = begin().answer('Now', calls).outcome(0, '1').outcome(1, '2').outcome(2, '3').answer('Done');
    await read(generation, script.end('c/m1'));
  });

  test('arguments whose record differs only in form stay as they were streamed', () => {
    const script = begin()
      .input('x', 'ship', '{ "to": "Ada" }')
      .answer(null, [makeCall('x', 'ship', { to: 'Ada' })]);
    const types = writeStream(generation, script.outcome(0, 'S').end('c/m1')).map(({ type }) => type);
    expect(types).not.toContain('MESSAGES_SNAPSHOT');
  });

  test('arguments that were streamed and are recorded otherwise are followed by a snapshot', async () => {
    const script = begin()
      .input('x', 'ship', '{"to":"Bob"}')
      .answer(null, [makeCall('x')]);
    const { types } = await read(generation, script.outcome(0, 'S').answer('Done').end('c/m1'));
    expect(types).toContain('MESSAGES_SNAPSHOT');
  });

  test('a call that was streamed and is not in the answer is removed by a snapshot', async () => {
    const script = begin().input('x', 'ship', '{').answer('I cannot do that.').end('c/m1');
    await read(generation, script);
  });

  test('pieces before a retry are removed by a snapshot, and the answer keeps its id', async () => {
    const script = begin().piece({ kind: 'text', text: 'Hel' }).input('x', 'ship', '{').retry();
    script.piece({ kind: 'text', text: 'Good day' }).answer('Good day').end('c/m1');
    const { client } = await read(generation, script);
    expect(client.messages.at(-1)).toMatchObject({ id: 'c/m1:1', content: 'Good day' });
  });

  test('a refusal that replaces what was streamed is shown by a snapshot', async () => {
    const script = begin().piece({ kind: 'text', text: 'To pick a lock' }).answer('I will not help with that.');
    await read(generation, script.end('c/m1'));
  });

  test('a failure has the text that the model read, and metadata with its kind', async () => {
    const script = begin()
      .answer(null, [makeCall('x')])
      .outcome(0, 'No such order.', { outcome: 'failed' });
    const { client } = await read(generation, script.answer('Sorry').end('c/m1'));
    const result = { role: 'tool', content: 'No such order.', metadata: { outcome: 'failed' } };
    expect(client.messages[2]).toMatchObject(result);
  });

  test('files of a result are parts of its content for 1.0, and CUSTOM events for older clients', async () => {
    const call = makeCall('x');
    const parts = [
      { kind: 'image', mediaType: 'image/png', data: 'aGk=' },
      { kind: 'file', mediaType: 'application/pdf', url: 'https://example.com/a.pdf', name: 'a.pdf' },
      { kind: 'text', text: 'more' },
    ] as const;
    const message = { role: 'tool', toolCallId: 'x', name: 'ship', content: 'See', failed: false, parts } as const;
    const script = begin().answer(null, [call]).outcome(0, '', { message }).answer('Done').end('c/m1');
    const { client, types, events } = await read(generation, script);
    if (isNew) expect(client.messages[2]?.content).toHaveLength(4);
    else {
      expect(client.messages[2]?.content).toBe('See');
      expect(types.filter((type) => type === 'CUSTOM')).toHaveLength(3);
      expect(events).toContainEqual(expect.objectContaining({ name: 'file' }));
    }
  });

  test('openings of sections, progress of tools and messages to the run are CUSTOM events', async () => {
    const script = begin()
      .answer(null, [makeCall('x')])
      .progress(0, 0.5)
      .outcome(0, 'S', { opened: ['orders.refunds'] });
    const { events } = await read(generation, script.steer('s1', 'Faster').answer('Done').end('c/m1'));
    const customs = events.flatMap((event) => (event.type === 'CUSTOM' ? [[event.name, event.value]] : []));
    expect(customs).toEqual([
      ['progress', { call: 'c/m1-1-x', tool: 'ship', fraction: 0.5 }],
      ['section', { path: 'orders.refunds', call: 'c/m1-1-x' }],
      ['steering', { id: 's1', text: 'Faster' }],
    ]);
  });

  test('a message to the run that the client has shown already stays one message', async () => {
    const script = begin()
      .answer(null, [makeCall('x')])
      .outcome(0, 'S')
      .steer('s1', 'Faster')
      .answer('Done')
      .end('c/m1');
    const client = new Client(generation, respondWith(writeStream(generation, script)));
    client.say('m1', 'Hello');
    client.say('s1', 'Faster');
    await client.run();
    expect(client.messages.filter(({ id }) => id === 's1')).toHaveLength(1);
  });

  test('the tokens of the run are in RUN_FINISHED for 1.0', async () => {
    const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7, cacheWriteTokens: 1 };
    const { events } = await read(generation, begin().answer('Hi', [], usage).end('c/m1'));
    const sent = [{ inputTokens: 5, outputTokens: 2, totalTokens: 7, cacheWriteInputTokens: 1 }];
    const outcome = isNew ? { outcome: { type: 'success' }, usage: sent } : {};
    expect(events.at(-1)).toEqual({ type: 'RUN_FINISHED', threadId: 'thread', runId: 'request', ...outcome });
  });

  test('a failed run is a RUN_ERROR that does not tell why, with nothing behind it', async () => {
    const script = begin().piece({ kind: 'text', text: 'Hel' }).end('c/m1', 'failed');
    const { events, types } = await read(generation, script);
    expect(events.at(-1)).toEqual({ type: 'RUN_ERROR', code: 'run_failed', message: 'An error occurred (run c/m1).' });
    expect(types.filter((type) => type === 'RUN_FINISHED')).toEqual([]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  test('a stopped run keeps what was said, and is cancelled for 1.0 and finished for older clients', async () => {
    const script = begin()
      .answer('First', [makeCall('x')])
      .outcome(0, 'S')
      .piece({ kind: 'text', text: 'Hel' });
    const { events, client } = await read(generation, script.end('c/m1', 'cancelled', { said: 'Hel' }));
    expect(client.messages.at(-1)).toEqual({ id: 'c/m1:2', role: 'assistant', content: 'Hel' });
    expect(events.at(-1)).toMatchObject(isNew ? { outcome: { type: 'cancelled' } } : { type: 'RUN_FINISHED' });
    expect(events.some((event) => event.type === 'CUSTOM' && event.name === 'stopped')).toBe(!isNew);
  });

  test('a stopped run answers its open calls, and removes a call that was being written', async () => {
    const script = begin()
      .answer(null, [makeCall('x'), makeCall('y')])
      .outcome(0, 'S');
    await read(generation, script.end('c/m1', 'cancelled', { open: [1] }));
    const half = begin().piece({ kind: 'text', text: 'Hel' }).input('x', 'ship', '{"to');
    await read(generation, half.end('c/m1', 'cancelled', { said: 'Hel' }));
  });

  test('a reading that breaks off is a RUN_ERROR, because a client takes a bare end for success', async () => {
    const { events } = await read(generation, begin().piece({ kind: 'text', text: '' }));
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'stream_ended' });
  });

  describe('interrupts', () => {
    const description: ApprovalDescription = {
      question: 'q1',
      tool: 'ship',
      arguments: { to: 'Ada' },
      about: 'approval',
      askedAt: 1,
      seen: 'digest',
    };

    function ask(): Script {
      return begin()
        .answer('Shall I?', [makeCall('x'), makeCall('y')])
        .ask(0, 'q1')
        .ask(1, 'q2');
    }

    test('all open questions are one outcome, behind a snapshot of the messages', async () => {
      const { types, client } = await read(generation, ask());
      expect(types.slice(-2)).toEqual(['MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
      expect(client.open).toEqual(['q1', 'q2']);
    });

    test('an approval has the reason tool_call, its call, the form of its answer and its description', () => {
      const events = writeStream(generation, ask(), 0, new Map([['q1', { description }]]));
      const { outcome } = events.at(-1) as AgUiEvent & { type: 'RUN_FINISHED' };
      const [first] = outcome?.type === 'interrupt' ? outcome.interrupts : [];
      expect(first).toMatchObject({ id: 'q1', reason: 'tool_call', toolCallId: 'c/m1-1-x', metadata: description });
      expect(first?.responseSchema).toMatchObject({
        properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
        required: ['approved'],
      });
    });

    test('a question says only to clients of 1.0 when it expires', () => {
      const events = writeStream(generation, ask(), 0, new Map([['q1', { expiresAt: 0 }]]));
      const { outcome } = events.at(-1) as AgUiEvent & { type: 'RUN_FINISHED' };
      const interrupts = outcome?.type === 'interrupt' ? outcome.interrupts : [];
      expect(interrupts.map(({ expiresAt }) => expiresAt)).toEqual([
        isNew ? '1970-01-01T00:00:00.000Z' : undefined,
        undefined,
      ]);
    });

    test('a call that was cut off asks whether to repeat it, or for its outcome', () => {
      const script = begin()
        .answer(null, [makeCall('x')])
        .ask(0, 'q1', 'unknown');
      const last = writeStream(generation, script).at(-1);
      expect(last).toMatchObject({ outcome: { interrupts: [{ reason: 'unknown_outcome', id: 'q1' }] } });
    });

    test('the resumed run sends results alone for calls of the first one, and counts its own tokens', async () => {
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      const script = begin()
        .answer('Shall I?', [makeCall('x'), makeCall('y')], usage)
        .ask(0, 'q1')
        .ask(1, 'q2');
      const first = writeStream(generation, script);
      const known = script.events.length;
      script.approve(0, 'q1').approve(1, 'q2').outcome(0, 'X').outcome(1, 'Y').answer('Done', [], usage).end('c/m1');
      const second = writeStream(generation, script, known);
      expect(second.map(({ type }) => type)).toEqual([
        'RUN_STARTED',
        'TOOL_CALL_RESULT',
        'TOOL_CALL_RESULT',
        'TEXT_MESSAGE_START',
        'TEXT_MESSAGE_CONTENT',
        'TEXT_MESSAGE_END',
        'RUN_FINISHED',
      ]);
      if (isNew) expect(second.at(-1)).toMatchObject({ usage: [usage] });
      const streams = [first, second];
      const client = new Client(generation, () => respondWith(streams.shift() ?? [])());
      client.say('m1', 'Hello');
      await client.run();
      const resume = client.open.map((interruptId) => ({ interruptId, status: 'resolved', payload: {} }) as const);
      expect(await client.run({ resume })).toMatchObject({ refusal: undefined, warnings: [] });
      expect(client.open).toEqual([]);
      expect(client.messages).toEqual(toAgUiMessages(script.history, generation));
    });
  });
});
