import { type JsonValue, ToolRefusal } from 'toolwright';
import { MemoryRuns, type OpenQuestion } from '@toolwright/durable';
import { accept, askName, awaitTask, bob, closeDesks, eve, onlyKey, openDesk, pause, startTask } from './taskDesk';

afterEach(closeDesks);

import { readTaskInput } from '../../../src/server/tasks/TaskInput';

const UNKNOWN = { code: -32602, message: 'There is no such task, or it has expired.' };

describe('a task', () => {
  test('a run of something else in the store of tasks is refused, with the way to keep them apart', () => {
    const foreign = { id: 'chat-7', input: { message: 'Hello' } };
    expect(() => readTaskInput(foreign)).toThrow(expect.objectContaining({ code: 'E931' }) as Error);
    expect(() => readTaskInput(foreign)).toThrow(/"chat-7".*store of their own/s);
  });

  test('a task can be read as soon as it was created, and has the result of its call at its end', async () => {
    const desk = await openDesk({ count: () => 'Three.' });
    // A worker that takes the task may update it in the next millisecond.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2100-01-01'));
    const created = await startTask(desk, 'count').finally(() => {
      clock.mockRestore();
    });
    expect(created).toEqual({
      taskId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      status: 'working',
      createdAt: '2100-01-01T00:00:00.000Z',
      lastUpdatedAt: '2100-01-01T00:00:00.000Z',
      ttlMs: expect.any(Number) as number,
      pollIntervalMs: 1_000,
    });
    expect((await desk.tasks.get(bob, created.taskId)).taskId).toBe(created.taskId);
    const ended = await awaitTask(desk, created.taskId, 'completed');
    expect(ended.result).toEqual({ content: [{ type: 'text', text: 'Three.' }] });
    expect('error' in ended).toBe(false);
  });

  test('a task whose tool refuses is completed with an error of the tool', async () => {
    const desk = await openDesk({
      pay: () => {
        throw new ToolRefusal('No money.');
      },
    });
    const { taskId } = await startTask(desk, 'pay');
    const { result } = await awaitTask(desk, taskId, 'completed', 'failed');
    expect(result).toEqual({ content: [{ type: 'text', text: 'No money.' }], isError: true });
  });

  test('a task of a tool that is not there any more fails with an error of the protocol', async () => {
    const desk = await openDesk({ pay: () => 'Paid.' });
    const { taskId } = await startTask(desk, 'gone');
    const { error, result } = await awaitTask(desk, taskId, 'completed', 'failed');
    expect([error?.code, result]).toEqual([-32602, undefined]);
  });

  test.each([
    ['an empty text', ''],
    ['a path', '../..'],
    ['the name of a prototype', '__proto__'],
    ['a long text', 'a'.repeat(10_000)],
    ['an id that no task has', '00000000-0000-4000-8000-000000000000'],
  ])('a task with %s as its id is unknown', async (_what, id) => {
    const { tasks } = await openDesk({ count: () => 3 });
    await expect(tasks.get(bob, id)).rejects.toMatchObject(UNKNOWN);
    await expect(tasks.update(bob, id, {})).rejects.toMatchObject(UNKNOWN);
    await expect(tasks.cancel(bob, id)).rejects.toMatchObject(UNKNOWN);
  });

  test('a task does not exist for another principal, nor for an anonymous client', async () => {
    const desk = await openDesk({ ask: async (_params, context) => askName(context) });
    const { taskId } = await startTask(desk, 'ask');
    const key = onlyKey(await awaitTask(desk, taskId, 'input_required'));
    for (const other of [eve, { principal: undefined }, { principal: '' }]) {
      await expect(desk.tasks.get(other, taskId)).rejects.toMatchObject(UNKNOWN);
      await expect(desk.tasks.update(other, taskId, { [key]: accept('Eve') })).rejects.toMatchObject(UNKNOWN);
      await expect(desk.tasks.cancel(other, taskId)).rejects.toMatchObject(UNKNOWN);
    }
    await desk.tasks.update(bob, taskId, { [key]: accept('Bob') });
    expect((await awaitTask(desk, taskId, 'completed')).result?.content).toEqual([{ type: 'text', text: 'Bob' }]);
  });
});

describe('a principal that is an empty text', () => {
  test.each([undefined, '', '-', '--'])(
    'the tasks of the principal %p do not exist for the others',
    async (principal) => {
      const desk = await openDesk({ count: () => 'Three.' });
      const { taskId } = await startTask(desk, 'count', { ...bob, principal });
      expect((await desk.tasks.get({ principal }, taskId)).taskId).toBe(taskId);
      for (const other of [undefined, '', '-', '--'])
        if (other !== principal)
          await expect(desk.tasks.get({ principal: other }, taskId)).rejects.toMatchObject(UNKNOWN);
    },
  );
});

describe('values that no store can keep', () => {
  test.each([
    ['{ "__proto__": { "a": 1 } }', '__proto__: is not a possible key'],
    ['{ "a": { "__proto__": 1 } }', 'a.__proto__: is not a possible key'],
    ['{ "constructor": 1 }', 'constructor: is not a known key: the tool takes no arguments'],
    ['{ "prototype": {} }', 'prototype: is not a known key: the tool takes no arguments'],
    ['{ "toJSON": 1 }', 'toJSON: is not a known key: the tool takes no arguments'],
  ])('a task with the arguments %s names the key that is refused', async (given, issue) => {
    const desk = await openDesk({ count: () => 'Three.' });
    const { taskId } = await startTask(desk, 'count', bob, JSON.parse(given) as Record<string, JsonValue>);
    const { result } = await awaitTask(desk, taskId, 'completed');
    expect(result?.content).toEqual([
      {
        type: 'text',
        text: `The arguments of count were not accepted:\n- ${issue}\nNothing was done. Call it again with corrected arguments.`,
      },
    ]);
  });

  test('a call whose arguments are not JSON, or too deep, becomes no task, and the client learns the place', async () => {
    const desk = await openDesk({ count: () => 'Three.' });
    const start = (given: string) => startTask(desk, 'count', bob, JSON.parse(given) as Record<string, JsonValue>);
    await expect(start('{ "ms": 1e999 }')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(
        'cannot keep arguments.ms: expected a value of JSON, got the number Infinity',
      ) as string,
    });
    await expect(start(`{ "list": ${'['.repeat(250)}${']'.repeat(250)} }`)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/keep the call: expected JSON of at most \d+ levels/) as string,
    });
    expect(await (await desk.runs).acrossTenants.list()).toEqual([]);
  });

  test('an answer of too many levels is refused, and the question can be answered again', async () => {
    const desk = await openDesk({ ask: async (_params, context) => askName(context) });
    const { taskId } = await startTask(desk, 'ask');
    const key = onlyKey(await awaitTask(desk, taskId, 'input_required'));
    const extra = JSON.parse(`${'['.repeat(250)}${']'.repeat(250)}`) as unknown;
    const deep = { action: 'accept', content: { name: 'Bob', extra } };
    await expect(desk.tasks.update(bob, taskId, { [key]: deep })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/keep the answers: expected JSON of at most \d+ levels/) as string,
    });
    await desk.tasks.update(bob, taskId, { [key]: accept('Bob') });
    expect((await awaitTask(desk, taskId, 'completed')).result?.content).toEqual([{ type: 'text', text: 'Bob' }]);
  });
});

describe('the questions of a task', () => {
  test('a task asks its client, and its call runs again with the answers and the same idempotency key', async () => {
    const keys: string[] = [];
    const desk = await openDesk({
      ask: async (_params, context) => {
        keys.push(context.call.idempotencyKey);
        return `${await askName(context)} and ${await askName(context, 'And theirs?')}`;
      },
    });
    const { taskId } = await startTask(desk, 'ask');
    const first = await awaitTask(desk, taskId, 'input_required');
    expect(Object.values(first.inputRequests ?? {})).toEqual([
      {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Your name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
        },
      },
    ]);
    await desk.tasks.update(bob, taskId, { [onlyKey(first)]: accept('Bob') });
    const second = await awaitTask(desk, taskId, 'input_required');
    expect(onlyKey(second)).not.toBe(onlyKey(first));
    await desk.tasks.update(bob, taskId, { [onlyKey(second)]: accept('Ann') });
    const { result } = await awaitTask(desk, taskId, 'completed');
    expect(result?.content).toEqual([{ type: 'text', text: 'Bob and Ann' }]);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  test('a task that asks two questions at once waits for both answers, which may come one by one', async () => {
    let runs = 0;
    const desk = await openDesk({
      ask: async (_params, context) => {
        runs++;
        return (await Promise.all([askName(context, 'First?'), askName(context, 'Second?')])).join(' ');
      },
    });
    const { taskId } = await startTask(desk, 'ask');
    const [first = '', second = ''] = Object.keys(
      (await awaitTask(desk, taskId, 'input_required')).inputRequests ?? {},
    );
    await desk.tasks.update(bob, taskId, { [first]: accept('one') });
    const between = await desk.tasks.get(bob, taskId);
    expect([between.status, Object.keys(between.inputRequests ?? {})]).toEqual(['input_required', [second]]);
    await desk.tasks.update(bob, taskId, { [first]: accept('late'), [second]: accept('two') });
    expect((await awaitTask(desk, taskId, 'completed')).result?.content).toEqual([{ type: 'text', text: 'one two' }]);
    expect(runs).toBe(2);
  });

  test('a task ignores answers to questions that it has not asked, and refuses answers of another form', async () => {
    const desk = await openDesk({ ask: async (_params, context) => askName(context) });
    const { taskId } = await startTask(desk, 'ask');
    const key = onlyKey(await awaitTask(desk, taskId, 'input_required'));
    await desk.tasks.update(bob, taskId, { other: { ignored: true }, constructor: 7 });
    for (const answer of [
      7,
      null,
      'yes',
      {},
      { action: 'maybe' },
      { action: 'accept', content: { name: 7 } },
      { action: 'accept', content: 7 },
    ])
      await expect(desk.tasks.update(bob, taskId, { [key]: answer })).rejects.toMatchObject({ code: -32602 });
    expect(onlyKey(await desk.tasks.get(bob, taskId))).toBe(key);
    await desk.tasks.update(bob, taskId, { [key]: { action: 'decline' } });
    expect((await awaitTask(desk, taskId, 'completed')).result?.content).toEqual([{ type: 'text', text: 'decline' }]);
  });

  test('a task rolls back what its call did before a question', async () => {
    const desk = await openDesk(
      {
        ask: async (_params, context) => {
          context.session.dispatch(new Noted('before'));
          const name = await askName(context);
          return `${name} ${String(context.session.slice(Noted).all().length)}`;
        },
      },
      { tasks: { slices: [Noted] } },
    );
    const { taskId } = await startTask(desk, 'ask');
    await desk.tasks.update(bob, taskId, {
      [onlyKey(await awaitTask(desk, taskId, 'input_required'))]: accept('Bob'),
    });
    expect((await awaitTask(desk, taskId, 'completed')).result?.content).toEqual([{ type: 'text', text: 'Bob 1' }]);
  });

  test('a task of a client that cannot ask its user runs on without an answer', async () => {
    const desk = await openDesk({
      ask: (_params, context) => askName(context).catch((error: unknown) => `No: ${(error as { code: string }).code}`),
    });
    const { taskId } = await startTask(desk, 'ask', { ...bob, capabilities: {} });
    expect((await awaitTask(desk, taskId, 'completed')).result?.content).toEqual([{ type: 'text', text: 'No: E693' }]);
  });

  test('a task whose call needs an approval works until the approval comes', async () => {
    const desk = await openDesk(
      { pay: () => 'Paid.' },
      {
        app: { approver: { approve: () => ({ kind: 'later' }) } },
        needsApproval: true,
      },
    );
    const { taskId } = await startTask(desk, 'pay');
    const runs = (await desk.runs).forTenant('bob');
    let shown = await desk.tasks.get(bob, taskId);
    while (shown.statusMessage !== 'The call waits for an approval.') {
      expect(shown.status).toBe('working');
      await pause();
      shown = await desk.tasks.get(bob, taskId);
    }
    const [question] = (await runs.questions()) as [OpenQuestion];
    await runs.reply(question.run, question.id, { kind: 'approved', by: 'ann' });
    expect((await awaitTask(desk, taskId, 'completed')).result?.content).toEqual([{ type: 'text', text: 'Paid.' }]);
  });
});

class Noted {
  constructor(readonly text: string) {}
}

describe('the end of a task', () => {
  test('a cancelled task aborts its call, which is rolled back, and stays cancelled', async () => {
    let isAborted = false;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const desk = await openDesk({
      wait: (_params, { signal }) =>
        new Promise((_resolve, reject) => {
          begin();
          signal.addEventListener('abort', () => {
            isAborted = true;
            reject(new Error('aborted'));
          });
        }),
    });
    const { taskId } = await startTask(desk, 'wait');
    await begun;
    await desk.tasks.cancel(bob, taskId);
    expect((await desk.tasks.get(bob, taskId)).status).toBe('cancelled');
    expect(isAborted).toBe(true);
    await desk.tasks.cancel(bob, taskId);
    expect((await desk.tasks.get(bob, taskId)).status).toBe('cancelled');
  });

  test('a task that is cancelled while it asks takes no more answers', async () => {
    let runs = 0;
    const desk = await openDesk({
      ask: async (_params, context) => {
        runs++;
        return askName(context);
      },
    });
    const { taskId } = await startTask(desk, 'ask');
    const key = onlyKey(await awaitTask(desk, taskId, 'input_required'));
    await Promise.all([desk.tasks.cancel(bob, taskId), desk.tasks.update(bob, taskId, { [key]: accept('Bob') })]);
    expect((await desk.tasks.get(bob, taskId)).status).toBe('cancelled');
    await desk.tasks.update(bob, taskId, { [key]: accept('Bob') });
    const { status, inputRequests } = await desk.tasks.get(bob, taskId);
    expect([status, inputRequests]).toEqual(['cancelled', undefined]);
    expect(runs).toBeLessThanOrEqual(2);
  });

  test('a completed task stays completed when it is cancelled', async () => {
    const desk = await openDesk({ count: () => 'Three.' });
    const { taskId } = await startTask(desk, 'count');
    await awaitTask(desk, taskId, 'completed');
    await desk.tasks.cancel(bob, taskId);
    expect((await desk.tasks.get(bob, taskId)).status).toBe('completed');
  });

  test('a task does not exist any more once its time is over, and is deleted', async () => {
    let now = Date.now();
    const clock = {
      now: () => now,
      monotonic: () => performance.now(),
      sleep: (ms: number) => new Promise<void>((r) => setTimeout(r, ms)),
    };
    const store = new MemoryRuns();
    const desk = await openDesk(
      { count: () => 'Three.' },
      {
        app: { clock },
        runs: { store },
        tasks: { ttlMs: 60_000 },
      },
    );
    const { taskId, ttlMs } = await startTask(desk, 'count');
    expect(ttlMs).toBeLessThanOrEqual(60_000);
    await awaitTask(desk, taskId, 'completed');
    now += 59_000;
    expect((await desk.tasks.get(bob, taskId)).status).toBe('completed');
    now += 1_001;
    await expect(desk.tasks.get(bob, taskId)).rejects.toMatchObject(UNKNOWN);
    now += 120_000;
    await startTask(desk, 'count', eve);
    expect((await (await desk.runs).acrossTenants.list()).map(({ tenant }) => tenant)).toEqual(['eve']);
  });

  test('a principal with too many tasks gets no other one, and other principals do', async () => {
    const desk = await openDesk({ count: () => 'Three.' }, { tasks: { maxTasksPerPrincipal: 3 } });
    const flood = Array.from({ length: 20 }, () => desk.tasks.create({ client: bob, tool: 'count', arguments: {} }));
    expect((await Promise.all(flood)).filter((task) => task !== undefined)).toHaveLength(3);
    expect((await startTask(desk, 'count', eve)).status).toBe('working');
  });
});
