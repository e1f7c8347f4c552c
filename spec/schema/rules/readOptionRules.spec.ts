import { Matches } from 'class-validator';
import { Param, type ParamOptions } from 'toolwright';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { faultsOf, parse, shapeOf } from '../reading';

/** A class with one property under the options. */
function declared(options: ParamOptions): new () => { v?: unknown } {
  class Params {
    declare v?: unknown;
  }
  Param(options)(Params.prototype, 'v');
  return Params;
}

describe('the options of @Param that are rules', () => {
  test.each<[string, ParamOptions, object, readonly unknown[], readonly unknown[]]>([
    ['min', { type: Number, min: 2 }, { type: 'number', minimum: 2 }, [2, 2.5], [1.9]],
    ['max', { type: Number, max: 2 }, { type: 'number', maximum: 2 }, [2, -1], [2.1]],
    ['integer', { type: Number, integer: true }, { type: 'integer' }, [2, -0], [2.5, '2', Number.NaN]],
    ['minLength', { minLength: 2 }, { type: 'string', minLength: 2 }, ['ab', '😀😀'], ['a', '😀', '']],
    ['maxLength', { maxLength: 2 }, { type: 'string', maxLength: 2 }, ['', 'ab', '😀😀'], ['abc']],
    ['pattern', { pattern: /^#W/ }, { type: 'string', pattern: '^#W' }, ['#W1'], ['W1', 5]],
    ['pattern as text', { pattern: '^#W' }, { type: 'string', pattern: '^#W' }, ['#W1'], ['W1']],
    ['pattern with flags', { pattern: /^#w/i }, { type: 'string' }, ['#W1', '#w1'], ['W1']],
    ['pattern with state', { pattern: /a/g }, { type: 'string', pattern: 'a' }, ['a', 'a', 'ba'], ['b']],
    ['minItems', { type: [Number], minItems: 1 }, { type: 'array', minItems: 1 }, [[1]], [[]]],
    ['maxItems', { type: [Number], maxItems: 1 }, { type: 'array', maxItems: 1 }, [[], [1]], [[1, 2]]],
    ['enum', { enum: ['a', 2] }, { enum: ['a', 2] }, ['a', 2], ['b', '2', null]],
  ])('the option %s of @Param is a rule of the schema and of the check', (_name, options, schema, good, bad) => {
    const Params = declared(options);
    expect(writeClassSchema(shapeOf(Params))).toMatchObject({ properties: { v: schema } });
    for (const v of good) expect(parse(Params, { v })).toMatchObject({ ok: true });
    for (const v of bad) expect(parse(Params, { v })).toMatchObject({ ok: false });
  });

  test.each<[NonNullable<ParamOptions['format']>, readonly string[], readonly string[]]>([
    [
      'date-time',
      ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.5+01:00'],
      ['2030-01-01', 'soon', '2030-13-01T00:00:00Z'],
    ],
    ['date', ['2030-01-31', '2028-02-29'], ['2030-02-30', '2030-1-1', '2030-01-01T00:00:00Z']],
    ['email', ['ann@example.org'], ['ann', 'ann@', '@example.org']],
    ['uri', ['https://example.org/a?b#c', 'http://localhost:80'], ['example.org', 'no uri']],
    ['uuid', ['9b2f1a52-6f0c-4d2c-9d4e-2f6d7f1f0001', '00000000-0000-0000-0000-000000000000'], ['9b2f1a52', 'x']],
    ['ipv4', ['127.0.0.1'], ['127.0.0', '::1', '256.0.0.1']],
    ['ipv6', ['::1', 'fe80::1'], ['127.0.0.1', ':::']],
  ])('the option format %s of @Param is a rule of the schema and of the check', (format, good, bad) => {
    const Params = declared({ format });
    expect(writeClassSchema(shapeOf(Params))).toMatchObject({ properties: { v: { type: 'string', format } } });
    for (const v of good) expect(parse(Params, { v })).toMatchObject({ ok: true });
    for (const v of bad) expect(parse(Params, { v })).toMatchObject({ ok: false });
  });

  test('ARG-15 lengths count characters, not units of UTF-16', () => {
    const emoji = '😀';
    const exactly = (length: number) => declared({ minLength: length, maxLength: length });
    expect(parse(exactly(1), { v: emoji })).toMatchObject({ ok: true });
    expect(parse(exactly(2), { v: emoji })).toMatchObject({ ok: false });
    expect(parse(exactly(4), { v: emoji.repeat(4) })).toMatchObject({ ok: true });
    expect(parse(exactly(8), { v: emoji.repeat(4) })).toMatchObject({ ok: false });
    expect(parse(exactly(3), { v: `né${emoji}` })).toMatchObject({ ok: true });
  });

  test('several at once all hold', () => {
    const Params = declared({ minLength: 2, maxLength: 3, pattern: /^a/ });
    expect(['ab', 'abc'].map((v) => parse(Params, { v }).ok)).toEqual([true, true]);
    expect(['a', 'abcd', 'ba'].map((v) => parse(Params, { v }).ok)).toEqual([false, false, false]);
  });

  test.each<[string, ParamOptions, string]>([
    ['a length on a number', { type: Number, minLength: 1 }, 'its minLength says nothing about a number'],
    ['a bound on a text', { type: String, max: 3 }, 'its max says nothing about a string'],
    ['a pattern on a list', { type: [String], pattern: /^a/ }, 'its pattern says nothing about an array'],
    ['a number of items on a text', { type: String, minItems: 1 }, 'its minItems says nothing about a string'],
    ['a format on a date', { type: Date, format: 'date' }, 'its format says nothing about an ISO 8601 date and time'],
    ['a length on true and false', { type: Boolean, maxLength: 3 }, 'its maxLength says nothing about true or false'],
  ])('E218 %s would refuse every value', (_what, options, problem) => {
    expect(faultsOf(declared(options))).toMatchObject([{ code: 'E218', member: 'v', problem }]);
  });

  test('E218 the type that the compiler emitted is not overruled by a rule', () => {
    class Params {
      @Param({ minLength: 1 }) n!: number;
      @Param({ min: 1 }) text = 'x' as string | undefined;
    }
    expect(faultsOf(Params)).toMatchObject([
      { code: 'E218', member: 'n' },
      { code: 'E218', member: 'text' },
      { code: 'E203', member: 'text' },
    ]);
  });

  test.each<[string, ParamOptions, string]>([
    ['min', { type: Number, min: 5, max: 1 }, 'its min is above its max'],
    ['minLength', { minLength: 2, maxLength: 1 }, 'its minLength is above its maxLength'],
    ['minItems', { type: [String], minItems: 2, maxItems: 1 }, 'its minItems is above its maxItems'],
  ])('E216 a lower bound above the upper one is refused: %s', (_what, options, problem) => {
    expect(faultsOf(declared(options))).toMatchObject([{ code: 'E216', problem }]);
  });

  test('options of @Param that are rules say in their message what was expected and what came', () => {
    expect(parse(declared({ type: Number, min: 2 }), { v: 1 })).toEqual({
      ok: false,
      issues: [{ kind: 'constraint', path: 'v', message: 'expected at least 2, got the number 1' }],
    });
  });

  test.each<[string, ParamOptions, string]>([
    ['a pattern that is no regular expression', { pattern: '(' }, 'its pattern cannot be read'],
    ['a format that is not known', { format: 'colour' as never }, 'its format "colour" is not known'],
    ['a format named like a property of all objects', { format: 'constructor' as never }, 'is not known'],
  ])('E217: @Param refuses %s', (_what, options, problem) => {
    const [found, ...others] = faultsOf(declared({ ...options, type: String }));
    expect(found).toMatchObject({ code: 'E217', place: 'Params.v', member: 'v' });
    expect(found?.problem).toContain(problem);
    expect(found?.remedy).toContain('Correct the pattern');
    expect(others).toEqual([]);
  });

  test.each([/^(a+)+$/, /^(a*)*b$/, /^([a-z]+)*!$/, /(x+x+)+y/])(
    'ARG-23 a pattern that backtracks without end is refused: E206 for %p',
    (pattern) => {
      class Params {
        @Param({ pattern }) a!: string;
        @Param('B') @Matches(pattern) b!: string;
      }
      expect(faultsOf(Params).map(({ code, member }) => `${code} ${member}`)).toEqual(['E206 a', 'E206 b']);
    },
  );

  test.each([/^#W\d{7}$/, /^[a-z]+(-[a-z]+)*$/, /^(ab|cd)+$/, /^\d+(\.\d+)?$/, /^(a{1,3}b)+$/])(
    'ARG-23 a pattern without that danger is taken: %p',
    (pattern) => {
      expect(faultsOf(declared({ pattern }))).toEqual([]);
    },
  );
});
