import type { StandardSchema } from 'toolwright/schema';
import { tooSlow } from '../../../src/schema/pattern/checkInTime';
import { markComplete } from '../../../src/schema/standard/standardSchemas';
import { validatesAsync, createForeignParser } from '../../../src/schema/standard/createForeignParser';

/** A schema that answers like this; what it was asked is kept. */
function schemaThat(validate: (value: unknown) => unknown): { parse: (value: unknown) => unknown; asked: unknown[] } {
  const asked: unknown[] = [];
  const foreign = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) => {
        asked.push(value);
        return validate(value);
      },
    },
  } as unknown as StandardSchema;
  return { parse: createForeignParser(foreign, { type: 'object' }), asked };
}

describe('foreignParser', () => {
  test('a foreign parser returns what the schema returns, whatever it is', () => {
    for (const output of [{ city: 'Ulm' }, 'Ulm', null, undefined, new Date(0)])
      expect(schemaThat(() => ({ value: output })).parse({})).toEqual({ ok: true, value: output });
  });

  test('a foreign parser gets a copy of the arguments', () => {
    const given = { tags: ['a'] };
    const { parse, asked } = schemaThat((value) => ({ value }));
    const parsed = parse(given) as { value: typeof given };
    expect(asked).toEqual([given]);
    parsed.value.tags.push('b');
    expect(given.tags).toEqual(['a']);
  });

  test.each<[string, unknown, string]>([
    ['null', null, 'type'],
    ['an array', [], 'type'],
    ['a text', 'x', 'type'],
    ['a key __proto__', JSON.parse('{"a":{"__proto__":1}}'), 'extra'],
    ['what is nested too deeply', JSON.parse(`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`), 'constraint'],
  ])('the schema is not even asked about %s', (_what, value, kind) => {
    const { parse, asked } = schemaThat(() => ({ value: 1 }));
    expect(parse(value)).toMatchObject({ ok: false, issues: [{ kind }] });
    expect(asked).toEqual([]);
  });

  test.each<[string, (value: unknown) => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new TypeError('broken');
      },
      /could not be checked: the "test" schema threw: broken\. This is a fault of the tool/,
    ],
    ['answers later', () => Promise.resolve({ value: 1 }), /answered with a promise \(E212\)/],
    ['fails later', () => Promise.reject(new TypeError('broken')), /answered with a promise \(E212\)/],
    ['answers nothing', () => undefined, /answered with undefined/],
    ['answers something else', () => 'yes', /answered with the string "yes"/],
    ['gives issues that are none', () => ({ issues: 'many' }), /gave issues that are not a list/],
    ['gives no issue', () => ({ issues: [] }), /was refused without a reason/],
  ])('a schema that %s refuses, and nothing is thrown', async (_what, validate, message) => {
    const { parse } = schemaThat(validate);
    expect(parse({})).toMatchObject({
      ok: false,
      issues: [{ kind: 'constraint', path: '', message: expect.stringMatching(message) as string }],
    });
    // An unhandled rejection would end the process here.
    await new Promise((resolve) => setImmediate(resolve));
  });
});

describe('a check of another library', () => {
  const busy = (): { value: number } => {
    for (const end = performance.now() + 400; performance.now() < end;);
    return { value: 1 };
  };
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const standard = (vendor: string) =>
    ({ '~standard': { version: 1, vendor, validate: busy } }) as unknown as StandardSchema;

  test.each([{}, { a: 'x' }, { a: 1 }, { a: 'x'.repeat(100) }])(
    'a check of another library that does not end is stopped for %j',
    (value) => {
      expect(createForeignParser(standard('test'), schema)(value)).toEqual({ ok: false, issues: [tooSlow] });
    },
  );

  test.each(['json-schema', 'mcp', 'toolwright'])(
    'a check of another library is ended also where it calls itself %s',
    (vendor) => {
      expect(createForeignParser(standard(vendor), schema)({})).toEqual({ ok: false, issues: [tooSlow] });
    },
  );

  test('a check of another library is not watched where its JSON Schema says all, and is small', () => {
    const complete = markComplete(standard('test'));
    expect(createForeignParser(complete, schema)({ a: 'x' })).toEqual({ ok: true, value: 1 });
    const patterned = { ...schema, properties: { a: { type: 'string', pattern: 'a' } } };
    expect(createForeignParser(complete, patterned)({ a: 'x' })).toEqual({ ok: false, issues: [tooSlow] });
  });
});

describe('answersLater', () => {
  const later = (validate: () => unknown): boolean =>
    validatesAsync({ '~standard': { version: 1, vendor: 'test', validate } } as unknown as StandardSchema);

  test('answersLater knows a promise, and takes a schema that throws for one that answers at once', async () => {
    expect(later(() => Promise.resolve({ value: 1 }))).toBe(true);
    expect(later(() => Promise.reject(new TypeError('broken')))).toBe(true);
    expect(later(() => ({ issues: [] }))).toBe(false);
    expect(
      later(() => {
        throw new TypeError('broken');
      }),
    ).toBe(false);
    await new Promise((resolve) => setImmediate(resolve));
  });
});
