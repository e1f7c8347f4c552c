import type { ModelAdapter, ModelRequest, PromptEvaluationError } from 'toolwright';
import { fallback, type FallbackOptions } from 'toolwright/adapters';
import { fails, FakeModel, said, throttled } from '../../evaluate/fallback/FakeModel';

const request = {} as ModelRequest;
const a = () => new FakeModel('a:m', said('A'));
const b = () => new FakeModel('b:m', said('B'));

describe('fallback refuses', () => {
  test.each<[string, unknown, string, string]>([
    ['no list', a(), 'E416', 'expected a list of model adapters, got'],
    ['an empty list', [], 'E416', 'expected at least one model adapter, got an empty list'],
    ['an adapter that is none', [a(), {}], 'E416', 'adapters[1]: expected a model adapter, got'],
    ['a hole', [a(), undefined], 'E416', 'adapters[1]: expected a model adapter, got undefined'],
    ['an adapter that stands for several', [a(), fallback([b()])], 'E416', 'fallback(b:m); list its adapters'],
    [
      'two adapters of one name',
      [a(), b(), a()],
      'E417',
      'adapters[2]: another adapter of the list has the name "a:m"',
    ],
  ])('fallback refuses %s', (_name, adapters, code, problem) => {
    expect(() => fallback(adapters as ModelAdapter[])).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(problem) as unknown }) as Error,
    );
  });

  test.each<[string, object, string]>([
    ['an unknown option', { retry: 1 }, 'there is no option "retry".'],
    ['an unknown failure', { on: ['throttled', 'slow'] }, 'on[1]: expected one of throttled, quota, auth'],
    ['retries below zero', { retries: -1 }, 'retries: expected a whole number of at least 0'],
    ['a circuit that opens at once', { circuit: { failures: 0 } }, 'failures: expected a number of at least 1'],
    ['an unknown option of the circuit', { circuit: { open: 1 } }, 'there is no option "open"'],
  ])('fallback refuses %s', (_name, options, problem) => {
    expect(() => fallback([a()], options as FallbackOptions)).toThrow(problem);
  });
});

describe('a request outside of a run', () => {
  test('a request that the first adapter does not answer goes to the next', async () => {
    const [first, second] = [new FakeModel('a:m', throttled('overloaded')), b()];
    const adapter = fallback([first, second]);
    expect(adapter.name).toBe('fallback(a:m, b:m)');
    await expect(adapter.complete(request)).resolves.toMatchObject({ text: 'B' });
    expect([first.count, second.count]).toEqual([1, 1]);
  });

  test('a request that no adapter answers fails with the cause of each', async () => {
    const adapter = fallback([
      new FakeModel('a:m', fails('auth', 'a bad key')),
      new FakeModel('b:m', fails('down', 'no host')),
    ]);
    await expect(adapter.complete(request)).rejects.toMatchObject({
      code: 'E756',
      message: 'No adapter of fallback answered. a:m (auth): a bad key | b:m (down): no host',
      cause: expect.objectContaining({ errors: [fails('auth', 'a bad key'), fails('down', 'no host')] }) as unknown,
    });
  });

  test('an error of the adapter itself reaches the caller, and no other adapter is asked', async () => {
    const second = b();
    const adapter = fallback([new FakeModel('a:m', new TypeError('x is not a function')), second]);
    await expect(adapter.complete(request)).rejects.toThrow('x is not a function');
    expect(second.count).toBe(0);
  });
});

describe('the circuit of an adapter', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'], now: 1_000_000 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('the circuit opens after failures in a row, lets one request through when its time is over, and closes after its answer', async () => {
    const first = new FakeModel('a:m', throttled(), throttled(), throttled(), said('A'));
    const second = b();
    const adapter = fallback([first, second], { circuit: { failures: 2, openMs: 1_000 } });
    const text = async (): Promise<unknown> => (await adapter.complete(request)).text;
    expect([await text(), await text()]).toEqual(['B', 'B']);
    expect(first.count).toBe(2);
    expect(await text()).toBe('B');
    expect(first.count).toBe(2);
    jest.setSystemTime(1_001_000);
    // The test fails: it stays open for as long again.
    expect(await text()).toBe('B');
    expect(first.count).toBe(3);
    jest.setSystemTime(1_001_999);
    expect(await text()).toBe('B');
    expect(first.count).toBe(3);
    jest.setSystemTime(1_002_000);
    expect([await text(), await text()]).toEqual(['A', 'A']);
    expect(first.count).toBe(5);
  });

  test('while a request tests an adapter, the others go elsewhere', async () => {
    let answer = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const first = new FakeModel('a:m', throttled(), async () => {
      await waiting;
      return said('A');
    });
    const adapter = fallback([first, b()], { circuit: { failures: 1, openMs: 1_000 } });
    await adapter.complete(request);
    jest.setSystemTime(1_001_000);
    const tested = adapter.complete(request);
    await expect(adapter.complete(request)).resolves.toMatchObject({ text: 'B' });
    answer();
    await expect(tested).resolves.toMatchObject({ text: 'A' });
    expect(first.count).toBe(2);
  });

  test.each([
    ['a conversation that is too long', fails('too_long')],
    ['refused content', fails('content_policy')],
    ['a call that was cut off', fails('cut_off')],
  ])('%s does not open the circuit: other requests may succeed', async (_name, error) => {
    const first = new FakeModel('a:m', error);
    const options = { on: ['too_long', 'content_policy', 'cut_off'], circuit: { failures: 1 } } as const;
    const adapter = fallback([first, b()], options);
    await adapter.complete(request);
    await adapter.complete(request);
    expect(first.count).toBe(2);
  });

  test('with all circuits open, the error says that no adapter was asked, and what opened each circuit', async () => {
    const models = [new FakeModel('a:m', throttled()), new FakeModel('b:m', fails('auth', 'a bad key'))];
    const adapter = fallback(models, { circuit: { failures: 1 } });
    await expect(adapter.complete(request)).rejects.toMatchObject({ code: 'E756' });
    await expect(adapter.complete(request)).rejects.toMatchObject({
      code: 'E756',
      message:
        'No adapter of fallback answered. a:m (throttled): a:m was not asked: its circuit is open after rate_limit | b:m (auth): b:m was not asked: its circuit is open after a bad key',
    });
    const error = (await adapter.complete(request).catch((thrown: unknown) => thrown)) as { cause: AggregateError };
    const [notAsked] = error.cause.errors as readonly PromptEvaluationError[];
    expect(notAsked?.code).toBe('E757');
    expect(models.map(({ count }) => count)).toEqual([1, 1]);
  });
});
