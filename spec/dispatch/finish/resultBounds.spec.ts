import { defineTool, Field, Session, type ToolOptions } from 'toolwright';
import { Toolkit } from '@toolwright/programs';
import { engineOfFile } from '../../../packages/programs/spec/kit';
import { silentLogger } from '../../conformance/declare/silentLogger';
import { deskOf, UNTOUCHED, writeBoth } from '../desk';

const give = (value: unknown, result?: ToolOptions['result']) =>
  defineTool({ name: 'give', description: 'Gives.', result, handler: () => value as never });

const sandbox = engineOfFile();

class Link {
  @Field('Name') name!: string;
  @Field({ type: () => Link, optional: true }) left?: Link;
  @Field({ type: () => Link, optional: true }) right?: Link;
}

/** A plain row of the shape. */
interface Row {
  name: string;
  left?: Row;
  right?: Row;
}

/** Levels that each hold the next one twice: a tree of 2⁴⁰ entries when it is written out. */
function sharedLevels(levels: number): Row {
  let link: Row = { name: 'last' };
  for (let level = 0; level < levels; level++) link = { name: String(level), left: link, right: link };
  return link;
}

/** Objects that all refer to each other. */
function clique(count: number): readonly Record<string, unknown>[] {
  const all = Array.from({ length: count }, (_, index): Record<string, unknown> => ({ name: String(index) }));
  for (const one of all) for (const [index, other] of all.entries()) one[`to${String(index)}`] = other;
  return all;
}

/** Runs it, and says how long it took in milliseconds. */
async function timed<T>(run: () => Promise<T>): Promise<readonly [T, number]> {
  // The time of the processor, which does not grow with the load of the machine.
  const begin = process.cpuUsage();
  const outcome = await run();
  const { user, system } = process.cpuUsage(begin);
  return [outcome, (user + system) / 1_000];
}

const LONG = 'x'.repeat(1_000_000);

describe('TRACE-07 a result of any shape costs little more than itself', () => {
  test.each<[string, () => unknown, ToolOptions['result']]>([
    ['objects that all refer to each other', () => clique(10), undefined],
    ['a clique of 60', () => clique(60), undefined],
    ['40 shared levels', () => sharedLevels(40), undefined],
    ['40 shared levels that are declared', () => sharedLevels(40), Link],
    ['40 shared levels in a list of one of two', () => [sharedLevels(40)], { array: { oneOf: [Link, String] } }],
    ['one long text 100,000 times', () => Array.from({ length: 100_000 }, () => LONG), undefined],
    ['100,000 tails of one text', () => Array.from({ length: 100_000 }, (_, at) => LONG.slice(at)), undefined],
    ['100,000 objects', () => Array.from({ length: 100_000 }, (_, id) => ({ id, name: 'pen' })), undefined],
    ['twenty megabytes of bytes', () => new Uint8Array(20_000_000), undefined],
    ['twenty megabytes of bytes in a record', () => ({ name: 'a.pdf', bytes: Buffer.alloc(50_000_000) }), undefined],
    ['a list with holes', () => new Array<unknown>(4_000_000_000), undefined],
    ['a list with holes that is declared', () => new Array<string>(4_000_000_000), { array: String }],
  ])(
    'TRACE-07 a result with %s is answered within seconds, and is cut',
    async (_name, make, result) => {
      const value = make();
      const desk = await deskOf([give(value, result)]);
      const [outcome, took] = await timed(() => desk.call('give'));
      expect(took).toBeLessThan(5_000);
      expect(outcome.text.length).toBeLessThan(101_000);
      expect(desk.events).toHaveLength(1);
      if (outcome.kind === 'succeeded') expect(outcome.result.value).toBe(value);
    },
    20_000,
  );

  test.each<[string, () => unknown[], number]>([
    ['six million numbers', () => Array.from({ length: 6_000_000 }, (_, at) => at), 5_999_999],
    ['four billion holes', () => new Array<unknown>(4_000_000_000), 3_999_999_999],
  ])('TRACE-07 a promise at the end of %s is found', async (_name, make, last) => {
    const value = make();
    value[last] = Promise.resolve(1);
    const outcome = await (await deskOf([give(value)])).call('give');
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(outcome.text).toContain(`promise at [${String(last)}]`);
  });

  test('TRACE-07 the size that the model reads is the whole size', async () => {
    const desk = await deskOf([give(Array.from({ length: 1_000 }, () => LONG))]);
    expect((await desk.call('give')).text).toMatch(/\[Shortened: 1000003001 characters in all\./);
  });

  test('TRACE-07 a shared part of a value is written again, until there is much of it', async () => {
    const pen = { name: 'pen' };
    const few = await (await deskOf([give([pen, pen])])).call('give');
    expect(few.text).toBe('[{"name":"pen"},{"name":"pen"}]');
    const desk = await deskOf([give(sharedLevels(40), undefined)], { limits: { resultChars: 10_000_000 } });
    expect((await desk.call('give')).text).toContain('"[repeated]"');
  });

  test('TRACE-07 a circle reads the same with and without a declaration', async () => {
    const circle = (): Row => {
      const link: Row = { name: 'a' };
      link.left = link;
      return link;
    };
    const texts = ['{"name":"a","left":"[circular]"}', '{"name":"a","left":"[circular]"}'];
    const given = await Promise.all(
      [undefined, Link].map(async (result) => (await (await deskOf([give(circle(), result)])).call('give')).text),
    );
    expect(given).toEqual(texts);
  });

  test('TRACE-07 of a declared circle, what is not declared stays behind', async () => {
    const link = { name: 'a', password: 'pw-1', left: { name: 'b', password: 'pw-2' } };
    Object.assign(link.left, { left: link });
    const outcome = await (await deskOf([give(link, Link)])).call('give');
    expect(outcome.text).toBe('{"name":"a","left":{"name":"b","left":"[circular]"}}');
    const shown = outcome.result.value as Row;
    expect(shown.left?.left).toBe(shown);
    expect(shown).not.toHaveProperty('password');
    expect(shown.left).not.toHaveProperty('password');
    const chain = { name: 'a', left: { name: 'b' } };
    expect((await (await deskOf([give(chain, Link)])).call('give')).result.value).toBe(chain);
  });

  test('TRACE-07 a declared list of links that is too long is refused with its limit', async () => {
    let link: Row = { name: 'last' };
    for (let level = 0; level < 8_000; level++) link = { name: 'x', left: link };
    const desk = await deskOf([give(link, Link)]);
    const outcome = await desk.call('give');
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(outcome.text).toContain('at most 500 levels');
  });

  test('TRACE-07 a program gets it in time as well', async () => {
    const options = { sandbox, check: 'syntax', logger: silentLogger } as const;
    const kit = await Toolkit.from([give(clique(10))], options);
    const [result, took] = await timed(() =>
      kit.execute('const all = await give({}); return [all.length, all[0].name];'),
    );
    expect(result).toMatchObject({ success: true, returnValue: [10, '0'] });
    expect(took).toBeLessThan(5_000);
  }, 20_000);

  test('TRACE-07 a redact hook sees each part once', async () => {
    const desk = await deskOf([give(sharedLevels(40))], { redact: (text) => text.replaceAll('last', '…') });
    const [outcome, took] = await timed(() => desk.call('give', {}, { session: new Session() }));
    expect(outcome.kind).toBe('succeeded');
    expect(took).toBeLessThan(5_000);
  }, 20_000);
});

describe('TRACE-08 every value has a form, and none is lost', () => {
  const form = new FormData();
  form.append('name', 'Ada');
  form.append('photo', new Blob(['abc']), 'photo.png');

  test.each<[string, unknown, unknown]>([
    [
      'Headers',
      new Headers({ accept: 'text/html', etag: 'x' }),
      [
        ['accept', 'text/html'],
        ['etag', 'x'],
      ],
    ],
    [
      'URLSearchParams',
      new URLSearchParams('a=1&a=2'),
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    [
      'FormData',
      form,
      [
        ['name', 'Ada'],
        ['photo', '[File: 3 bytes]'],
      ],
    ],
    ['a Blob', new Blob(['abcd']), '[Blob: 4 bytes]'],
    ['a RegExp', /a+b/gi, '/a+b/gi'],
    ['an ArrayBuffer', new ArrayBuffer(3), '[ArrayBuffer: 3 bytes]'],
    ['boxed values', [Object('a'), Object(1), Object(false)], ['a', 1, false]],
    ['a WeakMap', new WeakMap(), '[WeakMap]'],
    [
      'a collection that can be iterated',
      {
        *[Symbol.iterator]() {
          yield 1;
          yield 2;
        },
      },
      [1, 2],
    ],
  ])('TRACE-08 a result shows a value completely: %s', async (_name, value, expected) => {
    const desk = await deskOf([give({ v: value })]);
    const outcome = await desk.call('give');
    expect(JSON.parse(outcome.text)).toEqual({ v: expected });
  });

  function* rows(): Generator<number> {
    yield 1;
  }
  async function* pages(): AsyncGenerator<number> {
    yield await Promise.resolve(1);
  }
  const thenable = {
    then: (resolve: (value: number) => void) => {
      resolve(1);
    },
  };

  test.each<[string, () => unknown, RegExp]>([
    ['a promise in an object', () => ({ orders: [{ total: Promise.resolve(1) }] }), /a promise at orders\[0\]\.total/],
    ['a promise that rejects', () => ({ total: Promise.reject(new Error('late')) }), /a promise at total/],
    ['another thenable', () => ({ query: thenable }), /a promise at query/],
    ['a promise in a map', () => new Map([['a', Promise.resolve(1)]]), /a promise at a;/],
    ['a promise in a set', () => ({ totals: new Set([1, Promise.resolve(1)]) }), /a promise at totals\[1\]/],
    ['promises in a list', () => [1].map((id) => Promise.resolve(id)), /a promise at \[0\].*await Promise\.all/],
    ['a generator', rows, /an iterator/],
    ['a generator inside', () => ({ rows: rows() }), /an iterator at rows/],
    ['an iterator of a map', () => ({ rows: new Map().values() }), /an iterator at rows/],
    ['an async generator inside', () => ({ rows: pages() }), /an async iterable at rows/],
    [
      'an async iterable with a key inside',
      () => ({ events: { total: 1, [Symbol.asyncIterator]: pages } }),
      /an async iterable at events/,
    ],
    ['a stream inside', () => ({ body: new ReadableStream() }), /an async iterable at body/],
    ['a Response inside', () => ({ response: new Response('x') }), /a Response at response/],
  ])('TRACE-08 %s is refused with its path, and rolled back', async (_name, make, message) => {
    const tool = defineTool({
      name: 'give',
      description: 'Gives.',
      handler: (_params: unknown, context) => {
        writeBoth(context, 'given');
        return make();
      },
    });
    const desk = await deskOf([tool]);
    const outcome = await desk.call('give');
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(outcome.text).toMatch(message);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.events).toHaveLength(1);
  });

  test('TRACE-08 the declared part of a declared result counts', async () => {
    const row = { name: 'Ada', __posts__: Promise.resolve([]) };
    const desk = await deskOf([give(row, Link)]);
    expect(await desk.call('give')).toMatchObject({ kind: 'succeeded', text: '{"name":"Ada"}' });
    const wrong = await (await deskOf([give({ name: Promise.resolve('Ada') }, Link)])).call('give');
    expect(wrong.kind).toBe('failed');
    expect(wrong.text).toContain('name: expected a string, got a promise');
  });
});
