import { copyArguments } from '../../../src/schema/parse/copyArguments';

describe('copyArguments', () => {
  test('copyArguments copies objects and arrays all the way down', () => {
    const given = { a: [{ b: 1 }], c: { d: null }, e: undefined };
    const copied = copyArguments(given);
    expect(copied).toEqual({ ok: true, value: given, values: 7 });
    const { value } = copied as { value: typeof given };
    expect([value === given, value.a === given.a, value.a[0] === given.a[0], value.c === given.c]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test('copyArguments copies dates and instances as what they hold, and accepts objects without a prototype', () => {
    const day = new Date(0);
    const bare = Object.assign(Object.create(null) as object, { a: 1 });
    const copied = copyArguments({ day, bare }) as { value: { day: Date; bare: object } };
    expect(copied.value.day).toEqual(day);
    expect(copied.value.day).not.toBe(day);
    expect(copied.value.bare).not.toBe(bare);
    expect(copied.value.bare).toEqual({ a: 1 });
  });

  test.each([
    ['__proto__', '{"__proto__":{"a":1}}'],
    ['a[1].__proto__', '{"a":[0,{"__proto__":1}]}'],
    ['"b c".__proto__', '{"b c":{"__proto__":null}}'],
  ])('copyArguments refuses the key at %s', (path, text) => {
    expect(copyArguments(JSON.parse(text))).toMatchObject({ ok: false, issues: [{ kind: 'extra', path }] });
  });

  test('other names that objects inherit are names like any', () => {
    const given: unknown = JSON.parse('{"constructor":{"prototype":1},"toString":2}');
    expect(copyArguments(given)).toEqual({ ok: true, value: given, values: 4 });
  });
});
