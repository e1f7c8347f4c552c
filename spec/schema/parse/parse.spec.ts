import { Expose } from 'class-transformer';
import { Min } from 'class-validator';
import { Param, PromptValidationError, type Constructor } from 'toolwright';
import { parse, ParseError, type ParseOptions } from 'toolwright/schema';

function refusalOf(type: Constructor, value: unknown, options?: ParseOptions): ParseError {
  try {
    parse(type, value, options);
  } catch (error) {
    if (error instanceof ParseError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

class Line {
  @Param('Item') item!: string;
  @Param({ description: 'Pieces', integer: true }) @Min(1) qty = 1;
}

class Order {
  @Param('Order id') @Expose({ name: 'order_id' }) orderId!: string;
  @Param({ description: 'Lines', type: () => [Line] }) lines: readonly Line[] = [];

  get pieces(): number {
    return this.lines.reduce((sum, { qty }) => sum + qty, 0);
  }
}

describe('parse', () => {
  test('parse returns an instance, nested ones included, typed as one', () => {
    const order = parse(Order, { order_id: '#W1', lines: [{ item: 'lamp' }, { item: 'desk', qty: 2 }] });
    expect(order).toBeInstanceOf(Order);
    expect(order.lines[0]).toBeInstanceOf(Line);
    expect([order.orderId, order.pieces]).toEqual(['#W1', 3]);
    // @ts-expect-error -- the instance has no such property
    expect(order.order_id).toBeUndefined();
  });

  test('parse throws every issue with kind, path and message, missing before extra', () => {
    const error = refusalOf(Order, { orderid: 1, lines: [{ item: 5, qty: 0 }] });
    expect(error).toMatchObject({ code: 'E213', place: 'Order' });
    expect(error.issues.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'missing order_id',
      'extra orderid',
      'type lines[0].item',
      'constraint lines[0].qty',
    ]);
    expect(error.issues[1]?.message).toContain('Did you mean "order_id"?');
  });

  test.each([[null], [undefined], [[]], ['{}'], [5]])('parse refuses %p, which is not an object', (value) => {
    expect(refusalOf(Order, value).issues).toMatchObject([{ kind: 'type', path: '' }]);
  });

  test('parse accepts extra keys and lossless conversions only if told so, at every level', () => {
    const extra = { order_id: '#W1', by: 'me', lines: [{ item: 'lamp', note: 'x' }] };
    expect(refusalOf(Order, extra, { extra: 'forbid' }).issues.map(({ path }) => path)).toEqual([
      'by',
      'lines[0].note',
    ]);
    expect(parse(Order, extra, { extra: 'ignore' })).toEqual(
      parse(Order, { order_id: '#W1', lines: [{ item: 'lamp' }] }),
    );
    const loose = { order_id: 7, lines: { item: 'lamp' } };
    expect(refusalOf(Order, loose).issues).toHaveLength(2);
    const texts = { order_id: 7, lines: [{ item: 'lamp', qty: '3' }] };
    expect(parse(Order, texts, { coerce: true })).toMatchObject({ orderId: '7', pieces: 3 });
    // One way of parsing does not rub off on the next.
    expect(refusalOf(Order, texts).issues).toHaveLength(2);
  });

  test('parse refuses what is nested too deeply, and keys that would set a prototype', () => {
    class Tree {
      @Param({ type: () => Tree, optional: true }) child?: Tree;
    }
    let deep: object = {};
    for (let level = 0; level < 70; level++) deep = { child: deep };
    expect(refusalOf(Tree, deep).issues).toMatchObject([{ kind: 'constraint', path: '' }]);
    const hostile: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}');
    expect(refusalOf(Tree, hostile).issues.map(({ kind }) => kind)).toEqual(['extra', 'extra']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('a class at fault is reported with all its findings, each time', () => {
    class Faulty {
      @Param('A') a!: unknown;
      @Param({ min: 5 }) b = 1;
    }
    for (let time = 0; time < 2; time++) {
      const attempt = (): unknown => parse(Faulty, {});
      expect(attempt).toThrow(PromptValidationError);
      expect(attempt).toThrow(/E201 Faulty\.a.*\n.*\n.*E203 Faulty\.b/);
    }
  });

  test.each([[undefined], [null], [{}], [() => Order]])('%p is no class: E307', (type) => {
    expect(() => parse(type as never, {})).toThrow(/^1 fault in the declarations:\n\nE307 .*a class was expected/);
  });

  test('parse reads a class only once', () => {
    let made = 0;
    class Counted {
      @Param('A') a = 1;
      constructor() {
        made++;
      }
    }
    for (let time = 0; time < 5; time++) parse(Counted, {});
    // Two to read the defaults, and one for each value.
    expect(made).toBe(2 + 5);
  });
});
