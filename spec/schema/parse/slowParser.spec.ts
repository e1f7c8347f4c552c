import { Param } from 'toolwright';
import { instanceOf, issuesOf, kindsOf, shapeOf } from '../reading';
import { SlowParser } from '../../../src/schema/parse/slowParser';

class Item {
  @Param('Article') name!: string;
  @Param({ integer: true, min: 1 }) qty!: number;
}
class Order {
  @Param('Order id') id!: string;
  @Param({ type: [Item] }) items!: Item[];
  @Param({ record: Number, optional: true }) prices?: Record<string, number>;
  @Param({ enum: ['open', 'closed'], optional: true }) status?: string;
}

describe('an issue', () => {
  test('the path of an issue has the names that the model uses', () => {
    const value = { id: 'a', items: [{ name: 'x', qty: 1 }, { qty: 0 }, 5], prices: { a: 1, b: 'x' } };
    expect(kindsOf(Order, value)).toEqual([
      'missing items[1].name',
      'constraint items[1].qty',
      'type items[2]',
      'type prices[b]',
    ]);
  });

  test('an issue says what was expected and what came', () => {
    expect(
      issuesOf(Order, { id: 5, items: 'x', status: 'opn' }).map(({ path, message }) => `${path}: ${message}`),
    ).toEqual([
      'id: expected a string, got the number 5',
      'items: expected an array, got the string "x"',
      'status: expected one of "open", "closed", got the string "opn". Did you mean "open"?',
    ]);
  });

  test('an issue names no key within a secret, unless its class declares it', () => {
    class Account {
      @Param('User') user!: string;
    }
    class Access {
      @Param({ description: 'Tokens', record: [Number], secret: true, optional: true }) tokens?: object;
      @Param({ description: 'Accounts', record: Account, secret: true, optional: true }) accounts?: object;
      @Param({ description: 'Anything', type: 'any', secret: true, optional: true }) any?: unknown;
      @Param({ description: 'Numbers', record: Number, optional: true }) numbers?: object;
    }
    const hostile = JSON.parse('{"ada@corp":{"constructor":1}}') as object;
    const given = {
      tokens: { 'ada@corp': ['x'], prototype: [1] },
      accounts: { ada: { usr: 1, user: 1 } },
      any: hostile,
    };
    expect(issuesOf(Access, { ...given, numbers: { 'ada@corp': 'x' } }).map(({ path }) => path)).toEqual([
      'tokens[secret][0]',
      'tokens[secret]',
      'accounts[secret][secret]',
      'accounts[secret].user',
      'any',
      'numbers["ada@corp"]',
    ]);
  });

  test('a value has a hundred issues at most, whatever their kind', () => {
    const numbered = (value: unknown) =>
      Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${String(n)}`, value]));
    const wrong = { id: 'a', items: [] };
    expect(issuesOf(Order, { id: 'a', items: Array(500).fill(5) })).toHaveLength(100);
    expect(issuesOf(Order, { ...wrong, prices: numbered('x') })).toHaveLength(100);
    expect(issuesOf(Order, { ...wrong, ...numbered(1) })).toHaveLength(100);
  });

  test('the issue of a missing key says what belongs there', () => {
    expect(issuesOf(Order, {})).toEqual([
      { kind: 'missing', path: 'id', message: 'is required: a string' },
      { kind: 'missing', path: 'items', message: 'is required: an array' },
    ]);
  });

  test('missing ones come before extra ones, and both before wrong values', () => {
    expect(kindsOf(Order, { zip: 1, prices: 'x', items: [{ zap: 1, qty: 'x' }] })).toEqual([
      'missing id',
      'extra zip',
      'missing items[0].name',
      'extra items[0].zap',
      'type items[0].qty',
      'type prices',
    ]);
  });

  test('the issue of an unknown key suggests similar ones that are missing', () => {
    expect(issuesOf(Order, { id: 'a', itms: [] })).toEqual([
      { kind: 'missing', path: 'items', message: 'is required: an array' },
      { kind: 'extra', path: 'itms', message: expect.stringContaining('Did you mean "items"?') as string },
    ]);
    expect(issuesOf(Order, { id: 'a', items: [], ids: 1 })[0]?.message).not.toContain('Did you mean');
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['an array', []],
    ['a text', 'x'],
    ['a number', 1],
    ['undefined', undefined],
    ['a function', () => 1],
  ])('the issue is about the whole value when it is %s', (_what, value) => {
    expect(kindsOf(Order, value)).toEqual(['type ']);
    expect(issuesOf(Order, value)[0]?.message).toMatch(/^expected an object, got /);
  });
});

describe('each kind of type', () => {
  class All {
    @Param({ optional: true }) text?: string;
    @Param({ optional: true }) number?: number;
    @Param({ optional: true, integer: true }) integer?: number;
    @Param({ optional: true }) yes?: boolean;
    @Param({ optional: true }) at?: Date;
    @Param({ optional: true, enum: ['a', 1, true] }) choice?: unknown;
    @Param({ optional: true, type: [Number] }) list?: number[];
    @Param({ optional: true, type: { tuple: [String, Number] } }) pair?: [string, number];
    @Param({ optional: true, record: Boolean }) flags?: Record<string, boolean>;
    @Param({ optional: true, oneOf: [Number, String, Item] }) either?: unknown;
    @Param({ optional: true, type: 'any' }) any?: unknown;
    @Param({ optional: true }) item?: Item;
  }
  test.each<[string, unknown]>([
    ['text', ''],
    ['number', -0],
    ['number', 1e308],
    ['integer', 2.0],
    ['yes', false],
    ['at', '2030-01-01T00:00:00Z'],
    ['at', '2030-01-01'],
    ['choice', 1],
    ['list', []],
    ['pair', ['a', 1]],
    ['flags', { a: true }],
    ['either', 'x'],
    ['either', { name: 'x', qty: 1 }],
    ['any', { deep: [1, null] }],
    ['item', { name: 'x', qty: 1 }],
  ])('the slow parser accepts for %s the value %j', (key, value) => {
    expect(Object.keys(instanceOf(All, { [key]: value }))).toEqual([key]);
  });

  test.each<[string, unknown, string]>([
    ['text', 1, 'type text'],
    ['number', '1', 'type number'],
    ['number', Number.NaN, 'type number'],
    ['number', Number.POSITIVE_INFINITY, 'type number'],
    ['integer', 1.5, 'type integer'],
    ['yes', 'true', 'type yes'],
    ['yes', 1, 'type yes'],
    ['at', 'soon', 'type at'],
    ['at', 'foo 1', 'type at'],
    ['at', 'Jan 2030', 'type at'],
    ['at', '5', 'type at'],
    ['at', '2030-02-30T00:00:00Z', 'type at'],
    ['at', 5, 'type at'],
    ['choice', 'b', 'constraint choice'],
    ['choice', { a: 1 }, 'constraint choice'],
    ['choice', 5, 'constraint choice'],
    ['choice', false, 'constraint choice'],
    ['list', 1, 'type list'],
    ['list', [1, 'x', null], 'type list[1],type list[2]'],
    ['pair', ['a'], 'type pair'],
    ['pair', ['a', 1, 2], 'type pair'],
    ['pair', ['a', 'b'], 'type pair[1]'],
    ['flags', [], 'type flags'],
    ['flags', { a: 1, b: true }, 'type flags[a]'],
    ['either', true, 'type either'],
    ['either', { name: 'x' }, 'type either'],
    ['item', { name: 'x', qty: 1, zip: 1 }, 'extra item.zip'],
  ])('the slow parser refuses for %s the value %j', (key, value, expected) => {
    expect(kindsOf(All, { [key]: value }).join()).toBe(expected);
  });

  test('null is of the wrong type, also for an enum that does not hold it', () => {
    class Choice {
      @Param({ enum: ['a', 1] }) v!: unknown;
    }
    expect(kindsOf(Choice, { v: null })).toEqual(['type v']);
    expect(kindsOf(Choice, { v: '1' })).toEqual(['constraint v']);
  });

  test('a date becomes a Date, from a text or another Date', () => {
    const at = new Date('2030-01-01T00:00:00Z');
    expect(instanceOf(All, { at: at.toISOString() }).at).toEqual(at);
    const taken = instanceOf(All, { at }).at;
    expect(taken).toEqual(at);
    expect(taken).not.toBe(at);
  });

  test('oneOf takes the first that parses, in order, with real instances', () => {
    class Wide {
      @Param('Name') name!: string;
      @Param({ type: 'any', optional: true }) qty?: unknown;
    }
    class Choice {
      @Param({ oneOf: [Item, Wide] }) v!: unknown;
      @Param({ oneOf: [{ array: Number }, { array: String }] }) w: unknown = [0];
    }
    expect(instanceOf(Choice, { v: { name: 'x', qty: 1 } }).v).toBeInstanceOf(Item);
    expect(instanceOf(Choice, { v: { name: 'x', qty: 0 } }).v).toBeInstanceOf(Wide);
    expect(instanceOf(Choice, { v: { name: 'x' }, w: ['a'] }).w).toEqual(['a']);
    expect(kindsOf(Choice, { v: { nam: 'x' }, w: ['a', 1] })).toEqual(['type v', 'type w']);
  });

  test('no type takes a value over that the model can still change', () => {
    const list = [1];
    const flags = { a: true };
    const taken = instanceOf(All, { list, flags });
    list.push(2);
    flags.a = false;
    expect(taken).toEqual({ list: [1], flags: { a: true } });
  });
});

describe('extra keys', () => {
  test('extra keys may be dropped if the caller says so, at every level', () => {
    const value = { id: 'a', items: [{ name: 'x', qty: 1, zap: 1 }], zip: 1 };
    expect(kindsOf(Order, value)).toEqual(['extra zip', 'extra items[0].zap']);
    expect(instanceOf(Order, value, { extra: 'ignore' })).toEqual({ id: 'a', items: [{ name: 'x', qty: 1 }] });
  });

  test('ARG-25 extra keys below the root are refused wherever an object can be', () => {
    class Places {
      @Param('One') item!: Item;
      @Param({ type: [Item] }) list!: Item[];
      @Param({ record: Item }) map!: Record<string, Item>;
      @Param({ type: { tuple: [Item] } }) pair!: [Item];
      @Param({ oneOf: [Item, String] }) either!: Item | string;
    }
    const right = { name: 'x', qty: 1 };
    const value = { item: right, list: [right], map: { a: right }, pair: [right], either: right };
    const wrong = { ...right, zip: 1 };
    expect(instanceOf(Places, value).list[0]).toBeInstanceOf(Item);
    expect(kindsOf(Places, { ...value, item: wrong })).toEqual(['extra item.zip']);
    expect(kindsOf(Places, { ...value, list: [right, wrong] })).toEqual(['extra list[1].zip']);
    expect(kindsOf(Places, { ...value, map: { a: wrong } })).toEqual(['extra map[a].zip']);
    expect(kindsOf(Places, { ...value, pair: [wrong] })).toEqual(['extra pair[0].zip']);
    expect(kindsOf(Places, { ...value, either: wrong })).toEqual(['type either']);
  });

  test('ARG-18 extra keys are cut and quoted in the path', () => {
    const key = `a\nb${'x'.repeat(5_000)}`;
    const [issue] = issuesOf(Order, { id: 'a', items: [], [key]: 1 });
    expect(issue?.path.length).toBeLessThan(120);
    expect(issue?.path).not.toContain('\n');
    const [entry] = issuesOf(Order, { id: 'a', items: [], prices: { [key]: 'x' } });
    expect(entry?.path).toMatch(/^prices\[/);
    expect(entry?.path.length).toBeLessThan(120);
  });
});

test('the slow parser reports everything at once, and returns nothing then', () => {
  const slow = new SlowParser({});
  slow.object(shapeOf(Order), { id: 1, items: [{}], x: 1 }, '');
  expect(slow.issues.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    'extra x',
    'type id',
    'missing items[0].name',
    'missing items[0].qty',
  ]);
});
