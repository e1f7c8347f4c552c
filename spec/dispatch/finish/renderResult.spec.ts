import { bind, defineTool, Field, ToolResult, type Transactional } from 'toolwright';
import { allow } from 'toolwright/policies';
import { renderResult, renderValue } from '../../../src/dispatch/finish/renderResult';
import { Serialiser } from '../../../src/schema/write/createSerialiser';
import { deskOf, rejection, UNTOUCHED, writeBoth } from '../desk';

/** The text that the model reads for a value that a handler returns. */
async function told(value: unknown): Promise<string> {
  const desk = await deskOf([
    defineTool({ name: 'act', description: 'Acts.', handler: () => ToolResult.ok(value, '') }),
  ]);
  const outcome = await desk.call('act');
  expect(outcome.kind).toBe('succeeded');
  expect(desk.events[0]?.toolMessage).toBe(outcome.text);
  return outcome.text;
}

describe('the text of a result', () => {
  test.each([
    ['message and value', new ToolResult({ message: 'Found.', value: { a: 1 } }), 'Found.\n\n{"a":1}'],
    ['an empty message: the value alone', new ToolResult({ message: '', value: { a: 1 } }), '{"a":1}'],
    ['no value: the message alone', new ToolResult({ message: 'Done.' }), 'Done.'],
    ['an empty text as value: the message alone', new ToolResult({ message: 'Done.', value: '' }), 'Done.'],
    [
      'an excluded value: the message alone',
      new ToolResult({ message: 'Found.', value: { a: 1 }, excludeValueFromContext: true }),
      'Found.',
    ],
    ['a failure: by the same rule', new ToolResult({ message: 'No.', value: [1], success: false }), 'No.\n\n[1]'],
  ])('the text of a result contains %s', async (_what, result, text) => {
    const serialiser = new Serialiser();
    expect(renderResult(result, renderValue(result.value, { serialiser, limit: 100_000 }))).toBe(text);
    const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', handler: () => result })]);
    expect((await desk.call('act')).text).toBe(text);
  });

  test.each([null, undefined])('the value %s is written as an empty text', (value) => {
    expect(renderValue(value, { serialiser: new Serialiser(), limit: 100 })).toBe('');
  });

  test('rows of a declared result have the names that its class declares, and others their own', async () => {
    class Line {
      @Field({ name: 'order_id' }) id!: string;
    }
    const rows = [{ id: 'W1' }, { id: 'W2' }] as unknown as Line[];
    const desk = await deskOf([
      defineTool({ name: 'declared', description: 'Acts.', result: [Line], handler: () => rows }),
      defineTool({ name: 'plain', description: 'Acts.', handler: () => rows }),
    ]);
    const texts = [(await desk.call('declared')).text, (await desk.call('plain')).text];
    expect(texts).toEqual(['[{"order_id":"W1"},{"order_id":"W2"}]', '[{"id":"W1"},{"id":"W2"}]']);
  });

  test('an excluded value is still in the event', async () => {
    const result = new ToolResult({ message: 'Found.', value: { a: 1 }, excludeValueFromContext: true });
    const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', handler: () => result })]);
    await desk.call('act');
    expect(desk.events[0]).toMatchObject({ renderedOutput: '{"a":1}', toolMessage: 'Found.' });
  });
});

describe('a value with a render of its own', () => {
  class Order {
    @Field('Id') id = 'W1';
    render(): string {
      return `Order ${this.id}`;
    }
  }

  test('a value with a render method is rendered by it', async () => {
    expect(await told(new Order())).toBe('Order W1');
  });

  test('a list of values with render: all are rendered, joined by blank lines', async () => {
    expect(await told([new Order(), Object.assign(new Order(), { id: 'W2' })])).toBe('Order W1\n\nOrder W2');
  });

  test('a mixed list of values with render is JSON', async () => {
    expect(await told([new Order(), 1])).toBe('[{"id":"W1"},1]');
    expect(await told([])).toBe('[]');
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no words');
      },
    ],
    ['gives a number', () => 1],
    ['gives a promise', () => Promise.resolve('later')],
    ['gives a promise that rejects', () => Promise.reject(new Error('never'))],
    ['gives nothing', () => undefined],
  ])('HAND-15 a render that %s falls back to JSON', async (_what, render) => {
    class Shy {
      readonly id = 'W1';
      render(): unknown {
        return render();
      }
    }
    expect(await told(new Shy())).toBe('{"id":"W1"}');
    await new Promise((resolve) => setImmediate(resolve));
  });

  test('HAND-15 a render that is no function is a property like others', async () => {
    expect(await told({ render: 'yes' })).toBe('{"render":"yes"}');
  });
});

describe('values that JSON cannot hold', () => {
  test.each<[string, unknown, string]>([
    ['a BigInt', 12n, '12'],
    ['a Map', new Map([[1, { a: 1 }]]), '[[1,{"a":1}]]'],
    ['a Set', new Set(['a']), '["a"]'],
    ['a Date', new Date('2030-01-01T00:00:00Z'), '2030-01-01T00:00:00.000Z'],
    ['an invalid Date', new Date(Number.NaN), 'Invalid Date'],
    ['an Error', new RangeError('far'), '{"name":"RangeError","message":"far"}'],
    ['a symbol', Symbol('x'), 'Symbol(x)'],
    ['a function', () => 1, '[function]'],
    ['a function with a render', Object.assign(() => 1, { render: () => 'never' }), '[function]'],
    ['a Buffer', Buffer.from('abc'), '[Buffer: 3 bytes]'],
    ['NaN', Number.NaN, 'NaN'],
    ['Infinity inside', { a: Infinity }, '{"a":"Infinity"}'],
    ['nested ones', { m: new Map([['k', 1n]]), u: undefined }, '{"m":[["k","1"]]}'],
  ])('HAND-13 %s has a form of its own', async (_what, value, text) => {
    expect(await told(value)).toBe(text);
  });

  test('a circle is cut', async () => {
    const a: Record<string, unknown> = { n: 1 };
    a['self'] = a;
    expect(await told(a)).toBe('{"n":1,"self":"[circular]"}');
  });

  test('HAND-18 a revoked proxy fails the call, and everything is rolled back', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const handler of [
      () => ToolResult.ok(proxy),
      () => proxy,
      async () => Promise.resolve(ToolResult.ok(proxy)),
    ]) {
      const desk = await deskOf([
        defineTool({
          name: 'act',
          description: 'Acts.',
          handler: (_params: unknown, context) => {
            writeBoth(context, 'second');
            return handler();
          },
        }),
      ]);
      const outcome = await desk.call('act');
      expect(outcome).toMatchObject({ kind: 'failed', result: { success: false, value: null } });
      expect(desk.state()).toEqual(UNTOUCHED);
      expect(desk.events).toHaveLength(1);
    }
  });

  test('HAND-18 a revoked proxy inside a value does not throw', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(await told({ a: 1, b: proxy })).toMatch(/^\{"a":1,"b":".+"\}$/);
    expect(await told([proxy])).toMatch(/^\[".+"\]$/);
  });

  test.each([1_000, 100_000])('a value %d levels deep does not throw', async (levels) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value };
    const text = await told(value);
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  test('a getter that throws does not throw', async () => {
    const text = await told({
      a: 1,
      get b(): never {
        throw new Error('no');
      },
    });
    expect(text).not.toBe('');
  });
});

describe('a stream', () => {
  const source = () =>
    (async function* lines() {
      yield 'a';
    })();

  test.each<[string, () => unknown, RegExp]>([
    ['an async iterable', source, /async iterable/],
    ['an async iterable in a result', () => ToolResult.ok(source()), /async iterable/],
    ['a ReadableStream', () => new ReadableStream(), /stream|async iterable/],
    ['a Response', () => new Response('a'), /Response/],
  ])('HAND-17 given as %s is a failed result that says why', async (_what, give, why) => {
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: (_params: unknown, context) => {
          writeBoth(context, 'second');
          return give();
        },
      }),
    ]);
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({ kind: 'failed', result: { success: false } });
    expect(outcome.text).toMatch(why);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.events).toHaveLength(1);
  });

  test.each<[string, () => unknown, string]>([
    ['the value itself', () => new Response('a'), 'a Response; a tool gives one complete value'],
    [
      'a part of it',
      () => ({ rows: [Promise.resolve(1)] }),
      'a promise at rows[0]; a tool gives one complete value: await it, or all of a list with await Promise.all(list)',
    ],
  ])('HAND-17 the error says what it is, where, and what to do: %s', async (_what, give, told) => {
    const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', handler: () => give() })]);
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({ kind: 'failed', error: { name: 'TypeError', message: `it returned ${told}` } });
    expect(outcome.text).toContain(`TypeError: it returned ${told}\n`);
  });

  test('HAND-17 a promise of a stream fails, too', async () => {
    const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', handler: async () => source() })]);
    expect(await desk.call('act')).toMatchObject({ kind: 'failed' });
  });
});

test('the fixture notices a promise that does not reject', async () => {
  expect(await rejection(rejection(Promise.resolve(1)))).toMatchObject({ message: expect.any(String) as string });
});

describe('a result that the commit may change', () => {
  test('the text of a result shows an id that the commit has set', async () => {
    const order = { id: 0 };
    class Table implements Transactional<Table> {
      begin(): this {
        return this;
      }
      commit(): void {
        order.id = 7;
      }
    }
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      handler: (_params: unknown, { resources }) => {
        resources.get(Table);
        return order;
      },
    });
    const desk = await deskOf([act], { resources: [bind(Table, { value: new Table() })] });
    expect((await desk.call('act')).text).toBe('{"id":7}');
  });

  test('the text of a result shows the value that a policy has changed', async () => {
    const onResult = (_call: unknown, { value }: ToolResult): void => {
      (value as { id: unknown }).id = 7n;
    };
    const policies = [{ name: 'numbers', check: () => allow, onResult }];
    const act = defineTool({ name: 'act', description: 'Acts.', policies, handler: () => ({ id: 0 }) });
    expect((await (await deskOf([act])).call('act')).text).toBe('{"id":"7"}');
  });
});
