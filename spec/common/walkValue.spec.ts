import { boundText, findPart, setProperty, walkValue } from '../../src/common/walkValue.js';

function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('walkValue', () => {
  test.each([
    ['a scalar', 1, { values: 1, depth: 0 }, undefined],
    ['as many values as are allowed', { a: [1, 2] }, { values: 4 }, undefined],
    ['one value more than is allowed', { a: [1, 2] }, { values: 3 }, 'values'],
    ['as many levels as are allowed', nested(100_000), { depth: 99_999 }, undefined],
    ['one level more than is allowed', nested(100_000), { depth: 99_998 }, 'depth'],
  ])('walkValue bounds %s', (_case, value, bounds, end) => {
    expect(walkValue(value, bounds)).toBe(end);
  });

  test('walkValue ends for a value that contains itself, by either bound', () => {
    const self: unknown[] = [];
    self.push(self, self);
    expect(walkValue(self, { values: 1_000 })).toBe('values');
    expect(walkValue(self, { depth: 64, once: true })).toBe('depth');
  });

  test('walkValue visits an object that is held twice once a level if it is told to', () => {
    let value: unknown = 'x';
    for (let level = 0; level < 10; level++) value = [value, value];
    let visits = 0;
    const count = (): boolean => ++visits > 21;
    expect(walkValue(value, { once: true }, count)).toBeUndefined();
    expect(walkValue(value, {}, count)).toBe('visitor');
  });

  test('walkValue without a bound passes over the holes of a list', () => {
    const list: unknown[] = [];
    list[9] = 'x';
    const read: unknown[] = [];
    const watched = new Proxy(list, {
      get: (target, key, self) => (read.push(key), Reflect.get(target, key, self) as unknown),
    });
    expect(walkValue(watched, { depth: 64 })).toBeUndefined();
    expect(read).toContain('9');
    expect(read).not.toContain('0');
  });

  test('walkValue visits each value with its key, and stops when the visitor says so', () => {
    const seen: unknown[] = [];
    const visit = (value: unknown, key: string | undefined): boolean => {
      seen.push([key, value]);
      return value === 2;
    };
    expect(walkValue({ a: [1], b: 2, c: 3 }, {}, visit)).toBe('visitor');
    expect(seen).toEqual([
      [undefined, { a: [1], b: 2, c: 3 }],
      ['a', [1]],
      ['b', 2],
    ]);
    expect(walkValue(2, {}, visit)).toBe('visitor');
  });

  test('boundText names the bound and its unit', () => {
    const bounds = { values: 10, depth: 2 };
    expect([boundText('values', bounds), boundText('depth', bounds)]).toEqual([
      'at most 10 values',
      'at most 2 levels of nesting',
    ]);
  });
});

describe('findPart', () => {
  test('findPart looks at holders before their parts, and gives each its path', () => {
    const paths: string[] = [];
    const found = findPart({ a: [{ b: 1 }], c: 2 }, (part, path, holder) => {
      paths.push(`${path.join('.')}${Array.isArray(holder) ? ' of a list' : ''}`);
      return part === 2 ? part : undefined;
    });
    expect(found).toBe(2);
    expect(paths).toEqual(['', 'a', 'a.0 of a list', 'a.0.b', 'c']);
  });

  test('findPart returns undefined when nothing is found', () => {
    const found = findPart([1, 'x', null], (part): string | undefined => (part === 'y' ? part : undefined));
    expect(found).toBeUndefined();
  });
});

test('setProperty sets a key named __proto__ without changing the prototype', () => {
  const target = {};
  setProperty(target, '__proto__', 1);
  expect([Object.keys(target), Object.getPrototypeOf(target) === Object.prototype]).toEqual([['__proto__'], true]);
});
