import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, definePrompt } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import {
  answerText,
  createProgressBar,
  defineEval,
  endState,
  type EvalProgress,
  type EvalReport,
  type EvalTask,
  promptRun,
  readReport,
  runEval,
  trajectory,
  withinBudget,
} from '@toolwright/evals';
import { Airline, book, createTask, defineEcho, openAirline, runAirline } from './support/desk';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-evals-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const say = (...ids: readonly string[]): readonly EvalTask<string>[] =>
  ids.map((id) => ({ id, input: id, expected: { text: id } }));
const reasonsOf = ({ failures }: EvalReport) =>
  failures.map(({ task, error, scores }) => [task, error ?? Object.values(scores).map(({ reason }) => reason)]);

/** A promise that never settles, and listens to nothing. */
const hang = () => new Promise<never>(() => undefined);

describe('runs of a prompt', () => {
  const cancel = { name: 'cancel_seat', arguments: { seat: '12A', passenger: 'Ada' } };
  const airline = defineEval({
    name: 'airline',
    tasks: [
      createTask('book', {
        calls: [book('12A', 'Ada')],
        expected: { calls: [book('12A', 'Ada')] as never, state: { '12A': { passenger: 'Ada' } }, text: 'Done.' },
      }),
      createTask('book and cancel', {
        calls: [book('12A', 'Ada'), cancel],
        expected: { calls: [book('12A', 'Ada'), cancel] as never, state: {} },
      }),
      createTask('double booking', {
        calls: [book('12A', 'Ada'), book('12A', 'Grace')],
        expected: { calls: [book('12A', 'Ada')] as never, state: { '12A': { passenger: 'Ada' } } },
      }),
    ],
    run: runAirline,
    score: {
      calls: trajectory(),
      state: endState({ read: ({ resources }) => resources['Bookings'] }),
      text: answerText(),
      budget: withinBudget({ maxToolCalls: 2, maxTurns: 2 }),
    },
    epochs: 2,
  });

  test('each run has an application, a session and a model of its own, and its scores', async () => {
    const report = await runEval(airline);
    expect(report).toMatchObject({ complete: true, passed: false, runs: { expected: 6, finished: 6, errors: 0 } });
    expect(report.tasks.map(({ id, passed }) => [id, passed])).toEqual([
      ['book', 2],
      ['book and cancel', 2],
      ['double booking', 0],
    ]);
    expect(report.scorers.map(({ name, runs, share }) => [name, runs, share?.value])).toEqual([
      ['calls', 6, 4 / 6],
      ['state', 6, 1],
      ['text', 2, 1],
      ['budget', 6, 1],
    ]);
    expect(report.failures[0]).toMatchObject({
      task: 'double booking',
      calls: [{ name: 'book_seat' }, { name: 'book_seat', failed: true }],
      text: 'Done.',
    });
  });

  test('calls in the messages of a task are not calls of the run', async () => {
    const messages = [
      { role: 'user', content: 'Book.' },
      { role: 'assistant', content: null, toolCalls: [{ id: 'c', name: 'book_seat', arguments: '{}' }] },
      { role: 'tool', toolCallId: 'c', name: 'book_seat', content: 'ok', failed: false },
      { role: 'user', content: 'Thanks.' },
    ];
    const run = promptRun({
      app: openAirline,
      prompt: (app) => app.prompt(Airline),
      adapter: () => new ScriptedModel([{ toolCalls: [book('14C', 'Ada')] }, { text: 'Welcome.' }]),
    });
    const tasks = [{ id: 'a', input: messages, expected: { calls: [book('14C', 'Ada')] as never } }];
    const report = await runEval(defineEval({ name: 'history', tasks, run, score: { calls: trajectory() } }));
    expect(report).toMatchObject({ passed: true, failures: [] });
  });

  test('an application of a function is closed after its run, and a prompt that it lacks is an error of the run', async () => {
    const opened: Application[] = [];
    const app = async () => {
      const each = await openAirline();
      opened.push(each);
      return each;
    };
    const Other = definePrompt({ ns: 'other', key: 'x', sections: [] });
    const adapter = new ScriptedModel([]);
    const report = await runEval(
      defineEval({ name: 'other', tasks: say('a', 'b'), run: promptRun({ app, prompt: Other, adapter }) }),
    );
    expect(reasonsOf(report)).toEqual(['a', 'b'].map((id) => [id, expect.stringMatching(/^E403/) as string]));
    expect(opened).toHaveLength(2);
    for (const each of opened)
      await expect(each.evaluate(each.prompt(Airline), { adapter })).rejects.toMatchObject({ code: 'E410' });
  });

  test('an input that is not a text needs a function for its messages', async () => {
    const report = await runEval(
      defineEval({ name: 'n', tasks: [{ id: 'a', input: 7 }], run: runAirline, score: { calls: trajectory() } }),
    );
    expect(reasonsOf(report)).toEqual([
      ['a', expect.stringMatching(/^E999 promptRun: the input of a is the number 7/) as string],
    ]);
    expect(() => promptRun({ prompt: class {}, adapter: new ScriptedModel([]) } as never)).toThrow(
      /E413 promptRun: app/,
    );
  });
});

describe('runs and scorers that fail', () => {
  test('a run that throws, returns nothing or hangs has failed with the reason, and the others go on', async () => {
    const report = await runEval(
      defineEcho({
        tasks: say('good', 'throws', 'nothing', 'hangs', 'last'),
        run: ({ input }) => {
          if (input === 'throws') throw new TypeError('no network');
          if (input === 'nothing') return undefined as never;
          return input === 'hangs' ? hang() : { text: input };
        },
        score: { text: answerText() },
        timeoutMs: 50,
        concurrency: 1,
      }),
    );
    expect(report).toMatchObject({ complete: true, passed: false, runs: { finished: 5, errors: 3 } });
    expect(reasonsOf(report)).toEqual([
      ['throws', 'no network'],
      ['nothing', expect.stringMatching(/^E999 run: expected \{ response \} or \{ text \}, got undefined/) as string],
      ['hangs', expect.stringMatching(/^E998 run of hangs: it took longer than 50 ms/) as string],
    ]);
  });

  test('a judge that throws, never ends or returns no score has not scored, and the eval goes on', async () => {
    const ended: string[] = [];
    const report = await runEval(
      defineEcho({
        tasks: say('a'),
        score: {
          throws: () => {
            throw new Error('overloaded');
          },
          hangs: ({ signal }) => {
            signal.addEventListener('abort', () => ended.push((signal.reason as { code: string }).code));
            return hang();
          },
          wrong: () => 'good' as never,
          high: () => 2,
          value: () => 0.25,
        },
        scoreTimeoutMs: 50,
      }),
    );
    expect(reasonsOf(report)[0]![1]).toEqual([
      'The scorer failed: overloaded',
      expect.stringMatching(/^The scorer failed: E998 scorer hangs: it took longer than 50 ms/),
      expect.stringMatching(/^The scorer failed: E996 scorer wrong: it returned the string "good"/),
      expect.stringMatching(/^The scorer failed: E996 scorer high: it returned the value the number 2/),
      undefined,
    ]);
    expect(report.scorers.map(({ failed, mean }) => [failed, mean?.value])).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
      [1, 0],
      [0, 0.25],
    ]);
    expect(ended).toEqual(['E998']);
  });

  test('deferred work is done after the scorers, also after a failure', async () => {
    const order: string[] = [];
    await runEval(
      defineEcho({
        tasks: say('a', 'b'),
        run: ({ input }, { defer }) => {
          defer(() => order.push(`close ${input}`));
          if (input === 'b') throw new Error('b');
          return { text: input };
        },
        score: { text: ({ text }) => (order.push(`score ${String(text)}`), true) },
        concurrency: 1,
      }),
    );
    expect(order).toEqual(['score a', 'close a', 'close b']);
  });
});

describe('gates', () => {
  const isShort = ({ text }: { readonly text: string | null }) => (text?.length ?? 0) < 3;
  const report = (gates: object) =>
    runEval(defineEcho({ tasks: say('a', 'bb', 'long', 'cc'), score: { short: isShort }, gates: gates as never }));

  test.each([
    [{ short: { share: 0.75 } }, true],
    [{ short: { share: 0.76 } }, false],
    [{ short: { mean: 0.75 }, overall: { share: 0.5 } }, true],
    [{ short: { lower: 0.3 } }, true],
    [{ short: { lower: 0.31 } }, false],
    [{}, false],
  ])('gates %j decide: %s', async (gates, passed) => {
    expect((await report(gates)).passed).toBe(passed);
  });

  test('a gate of a scorer that applied to no run is not met', async () => {
    const evaluation = defineEcho({ tasks: say('a'), score: { none: () => undefined }, gates: { none: { share: 0 } } });
    expect((await runEval(evaluation)).gates).toEqual([
      { scorer: 'none', kind: 'share', minimum: 0, actual: undefined, met: false },
    ]);
  });
});

describe('files of results', () => {
  const file = () => join(folder, 'results.jsonl');
  const evaluation = (given: Partial<Parameters<typeof defineEcho>[0]> = {}) =>
    defineEcho({ tasks: say('a', 'b', 'c'), score: { text: answerText() }, epochs: 2, concurrency: 1, ...given });

  test('an interrupted eval goes on without repeating a finished run, to the same report', async () => {
    const stop = new AbortController();
    const made: string[] = [];
    const run = ({ input }: EvalTask<string>, { epoch, signal }: { epoch: number; signal: AbortSignal }) => {
      made.push(`${input}${String(epoch)}`);
      if (made.length === 4) stop.abort(new Error('stopped'));
      signal.throwIfAborted();
      return { text: input };
    };
    await expect(runEval(evaluation({ run }), { results: file(), signal: stop.signal })).rejects.toThrow('stopped');
    expect(await readReport(file())).toMatchObject({ complete: false, passed: false, runs: { finished: 3 } });
    const resumed = await runEval(evaluation({ run }), { results: file() });
    expect(made).toEqual(['a1', 'a2', 'b1', 'b2', 'b2', 'c1', 'c2']);
    const whole = await runEval(evaluation());
    expect({ ...resumed, durationMs: 0, tasks: [] }).toEqual({ ...whole, durationMs: 0, tasks: [] });
    expect(await readReport(file())).toEqual(resumed);
  });

  test('a torn last line is cut off, and its run repeated', async () => {
    await runEval(evaluation(), { results: file() });
    const text = readFileSync(file(), 'utf8');
    for (const length of [text.length - 1, text.length - 40, 30, 0]) {
      writeFileSync(file(), text.slice(0, length));
      expect(await runEval(evaluation(), { results: file() })).toMatchObject({ complete: true, passed: true });
      expect(readFileSync(file(), 'utf8').split('\n')).toHaveLength(text.split('\n').length);
      expect(await readReport(file())).toMatchObject({ complete: true, passed: true });
    }
  });

  test.each([
    [{ epochs: 3 }, 'epochs is 2 there, and 3 now'],
    [{ tasks: say('a', 'b', 'd') }, 'the tasks are different'],
    [{ version: 'v2' }, 'version is not set there, and "v2" now'],
    [{ score: { other: () => true } }, 'scorers is ["text"] there, and ["other"] now'],
  ])('results of another eval are not continued: %#', async (changes, said) => {
    await runEval(evaluation(), { results: file() });
    const error: unknown = await runEval(evaluation(changes as never), { results: file() }).catch(
      (each: unknown) => each,
    );
    expect(error).toMatchObject({ code: 'E993', place: file() });
    expect((error as Error).message).toContain(said);
  });

  test('a damaged file is refused with its line', async () => {
    await runEval(evaluation(), { results: file() });
    const lines = readFileSync(file(), 'utf8').split('\n');
    const damaged = async (...changed: readonly string[]) => {
      writeFileSync(file(), changed.join('\n'));
      return runEval(evaluation(), { results: file() });
    };
    await expect(damaged(lines[0]!, '{"task":', ...lines.slice(2))).rejects.toThrow(
      /E994.*results.jsonl:2: .*not JSON/,
    );
    await expect(damaged('{}', ...lines.slice(1))).rejects.toThrow(/E994.*:1: the first line is not the header/);
    await expect(damaged(lines[0]!, lines[1]!, lines[1]!, '')).rejects.toThrow(
      /E994.*:3: line 2 has .*"a", epoch 1, too/,
    );
    await expect(damaged(lines[0]!, '{"task":"a"}', '')).rejects.toThrow(/E994.*:2: the line is not a result/);
    writeFileSync(file(), '');
    await expect(readReport(file())).rejects.toMatchObject({ code: 'E994' });
  });

  test('runs that failed are repeated on request, and replace their results', async () => {
    let isDown = true;
    const run = ({ input }: EvalTask<string>) => {
      if (isDown && input === 'b') throw new Error('overloaded');
      return { text: input };
    };
    expect(await runEval(evaluation({ run }), { results: file() })).toMatchObject({
      passed: false,
      runs: { errors: 2 },
    });
    isDown = false;
    expect(await runEval(evaluation({ run }), { results: file() })).toMatchObject({ passed: false });
    const retried = await runEval(evaluation({ run }), { results: file(), retryFailed: true });
    expect(retried).toMatchObject({ passed: true, runs: { finished: 6, errors: 0 } });
    expect(await readReport(file())).toEqual(retried);
  });
});

describe('progress', () => {
  test('progress counts the runs of the file, and knows the time left after the first run', async () => {
    const seen: EvalProgress[] = [];
    await runEval(
      defineEcho({ tasks: say('a', 'b', 'c'), score: { no: ({ text }) => text !== 'b' }, concurrency: 1 }),
      {
        onProgress: (progress) => seen.push(progress),
      },
    );
    expect(seen.map(({ done, total, failed }) => [done, total, failed])).toEqual([
      [0, 3, 0],
      [1, 3, 0],
      [2, 3, 1],
      [3, 3, 1],
    ]);
    expect(seen.map(({ remainingMs }) => remainingMs === undefined)).toEqual([true, false, false, false]);
    expect(seen.at(-1)?.remainingMs).toBe(0);
  });

  test('a bar is drawn on a terminal, within its width, and nothing elsewhere', () => {
    const texts: string[] = [];
    const write = (text: string) => texts.push(text);
    const show = createProgressBar({ isTTY: true, columns: 60, write });
    show({ done: 1, total: 4, failed: 1, remainingMs: 125_000 });
    show({ done: 2, total: 4, failed: 1, remainingMs: 1 });
    show({ done: 4, total: 4, failed: 1, remainingMs: 0 });
    expect(texts).toEqual([
      '\r\u001b[2K██████░░░░░░░░░░░░░░░░░░ 1/4, 1 failed, 2 min 5 s left',
      '\r\u001b[2K████████████████████████ 4/4, 1 failed\n',
    ]);
    createProgressBar({ write })({ done: 1, total: 4, failed: 1, remainingMs: 1 });
    expect(texts).toHaveLength(2);
  });

  test('a bar that was drawn just now is drawn again a moment later', () => {
    jest.useFakeTimers();
    try {
      const texts: string[] = [];
      const show = createProgressBar({ isTTY: true, write: (text) => texts.push(text) });
      for (const done of [1, 2, 3]) show({ done, total: 4, failed: 0, remainingMs: 1 });
      expect(texts).toHaveLength(1);
      jest.advanceTimersByTime(1_000);
      expect(texts).toHaveLength(2);
      expect(texts[1]).toContain(' 3/4, ');
    } finally {
      jest.useRealTimers();
    }
  });

  test('at most as many runs as allowed are open, and an error outside of them ends the eval', async () => {
    let [open, most] = [0, 0];
    const run = async ({ input }: EvalTask<string>) => {
      most = Math.max(most, ++open);
      await new Promise(setImmediate);
      open--;
      return { text: input };
    };
    await runEval(defineEcho({ tasks: say(...'a b c d e f g h i j'.split(' ')), run, concurrency: 3 }));
    expect(most).toBe(3);
    const onProgress = ({ done }: EvalProgress) => {
      if (done === 2) throw new Error('no space left');
    };
    let began = 0;
    const counted = (task: EvalTask<string>) => {
      began++;
      return run(task);
    };
    const stopped = runEval(
      defineEcho({ tasks: say(...'a b c d e f g h i j'.split(' ')), run: counted, concurrency: 2 }),
      { onProgress },
    );
    await expect(stopped).rejects.toThrow('no space left');
    expect(began).toBeLessThan(5);
  });
});
