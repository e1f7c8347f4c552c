import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Param } from 'toolwright';
import type { ClassShape } from '../../../src/metadata/ClassShape';
import { compileExplainer, compileFastParser, DECLINED } from '../../../src/schema/parse/compileFastParser';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { createParser } from '../../../src/schema/parse/parser';
import { SlowParser } from '../../../src/schema/parse/slowParser';
import { classWithValues } from '../generated';
import { shapeOf } from '../reading';

function slowly(shape: ClassShape, value: unknown): { readonly parsed: unknown; readonly issues: readonly unknown[] } {
  const slow = new SlowParser({});
  return { parsed: slow.object(shape, value, ''), issues: slow.issues };
}

describe('the fast parser', () => {
  test('the fast parser accepts only what the slow one accepts, with an equal instance', () => {
    let [pairs, accepted, refused, explained] = [0, 0, 0, 0];
    fc.assert(
      fc.property(classWithValues, ([type, values]) => {
        const shape = shapeOf(type);
        const fast = compileFastParser(shape);
        const explain = compileExplainer(shape);
        const both = createParser(shape);
        for (const value of values) {
          pairs++;
          const { parsed, issues } = slowly(shape, value);
          const told = (): string => `${JSON.stringify(writeClassSchema(shape))}\n${inspect(value, { depth: 9 })}\n`;
          const instance = fast(value);
          if (issues.length > 0) refused++;
          if (instance !== DECLINED) {
            accepted++;
            if (issues.length > 0) throw new Error(`${told()}refused by the slow one: ${inspect(issues)}`);
            if (!isDeepStrictEqual(instance, parsed))
              throw new Error(`${told()}fast ${inspect(instance)}, slow ${inspect(parsed)}`);
          }
          const report = new SlowParser({});
          if (explain(value, report, '') !== DECLINED && report.issues.length > 0) {
            explained++;
            if (!isDeepStrictEqual(report.issues, issues))
              throw new Error(`${told()}explained ${inspect(report.issues)}, slow ${inspect(issues)}`);
          }
          const outcome = both(value);
          if (outcome.ok !== (issues.length === 0)) throw new Error(`${told()}together: ${inspect(outcome)}`);
          if (outcome.ok && !isDeepStrictEqual(outcome.value, parsed)) throw new Error(`${told()}${inspect(outcome)}`);
        }
      }),
      { numRuns: 300 },
    );
    expect(pairs).toBeGreaterThanOrEqual(2_000);
    expect(accepted).toBeGreaterThan(300);
    expect(refused).toBeGreaterThan(300);
    expect(explained).toBeGreaterThan(5);
  }, 60_000);

  class Item {
    @Param('Pieces') qty!: number;
  }
  class Order {
    @Param('Id') id!: string;
    @Param({ type: [Item] }) items!: Item[];
    @Param('Note') note = 'none';
  }
  const fast = compileFastParser(shapeOf(Order));

  test('the fast parser takes the usual case: real instances, defaults, nothing shared with what came', () => {
    const value = { id: 'a', items: [{ qty: 1 }] };
    const order = fast(value) as Order;
    expect(order).toBeInstanceOf(Order);
    expect(order.items[0]).toBeInstanceOf(Item);
    expect(order).toEqual({ id: 'a', items: [{ qty: 1 }], note: 'none' });
    expect(order.items).not.toBe(value.items);
  });

  test('the explainer reports each wrong scalar and broken rule in the order of the slow parser', () => {
    class Part {
      @Param({ description: 'Pieces', integer: true, min: 1 }) qty!: number;
      @Param({ description: 'Names', type: [String], minItems: 2, optional: true }) names?: string[];
    }
    class Whole {
      @Param({ description: 'Code', pattern: /^a/ }) code!: string;
      @Param({ description: 'Parts', type: [Part], minItems: 3 }) parts!: Part[];
      @Param({ description: 'Kind', enum: ['x', 'y'] }) kind!: string;
      @Param({ description: 'Part', type: Part }) part!: Part;
    }
    const value = {
      code: 'b',
      parts: [{ qty: 0 }, { qty: 'one', names: ['n', 1] }],
      kind: 'z',
      part: { qty: 2, names: ['n'] },
    };
    const report = new SlowParser({});
    expect(compileExplainer(shapeOf(Whole))(value, report, '')).not.toBe(DECLINED);
    expect(report.issues).toEqual(slowly(shapeOf(Whole), value).issues);
    expect(report.issues.map(({ path }) => path)).toEqual([
      ...['parts[0].qty', 'parts[1].qty', 'parts[1].names[1]', 'kind', 'part.names', 'code'],
    ]);
  });

  test('the explainer declines secrets, and a value with more issues than are collected', () => {
    class Access {
      @Param({ description: 'Token', secret: true, minLength: 9 }) token!: string;
    }
    class List {
      @Param({ description: 'Numbers', type: [Number] }) numbers!: number[];
    }
    const numbers = Array(200).fill('x');
    for (const [type, value] of [
      [Access, { token: 'short' }],
      [List, { numbers }],
    ] as const)
      expect(compileExplainer(shapeOf(type))(value, new SlowParser({}), '')).toBe(DECLINED);
    expect(createParser(shapeOf(List))({ numbers })).toMatchObject({ ok: false, issues: { length: 100 } });
  });

  test.each<[string, unknown]>([
    ['a missing key', { id: 'a' }],
    ['an extra key', { id: 'a', items: [], zip: 1 }],
    ['an extra key below', { id: 'a', items: [{ qty: 1, zip: 1 }] }],
    ['a wrong type', { id: 1, items: [] }],
    ['null', { id: 'a', items: [], note: null }],
    ['no object', 'x'],
    ['an array', []],
    ['an inherited key', Object.assign(Object.create({ zip: 1 }) as object, { id: 'a', items: [] })],
  ])('the fast parser declines %s', (_what, value) => {
    expect(fast(value)).toBe(DECLINED);
  });

  test.each([
    'a"b',
    "a'b",
    'a\\b',
    'a\nb',
    '${s}',
    'a\u2028b',
    'constructor',
    'toString',
    'hasOwnProperty',
    '*/ throw 1 /*',
    '); process.exit(1); (',
  ])('the fast parser takes a key named %j', (name) => {
    class Named {
      @Param({ name, enum: ['x', name] }) value!: string;
      @Param({ name: `${name}2`, optional: true }) other?: number;
    }
    const parse = compileFastParser(shapeOf(Named));
    expect(parse({ [name]: name })).toEqual({ value: name });
    expect(parse({ [name]: 'x', [`${name}2`]: 2 })).toEqual({ value: 'x', other: 2 });
    expect(parse({})).toBe(DECLINED);
    expect(parse({ [name]: 'y' })).toBe(DECLINED);
  });

  test('the fast parser declines an own key without value, and an array with holes', () => {
    class Sparse {
      @Param({ optional: true }) a?: string;
      @Param({ type: [Number], optional: true }) list?: number[];
    }
    const parse = compileFastParser(shapeOf(Sparse));
    expect(parse({ a: undefined })).toBe(DECLINED);
    expect(parse({ list: new Array(2) })).toBe(DECLINED);
    expect(parse({ list: [] })).toEqual({ list: [] });
  });

  test('ARG-09 the fast parser finds nothing on a prototype', () => {
    class Wanted {
      @Param('Id') id!: string;
      @Param({ optional: true }) note?: string;
    }
    const parse = compileFastParser(shapeOf(Wanted));
    expect(parse(Object.create({ id: 'a' }))).toBe(DECLINED);
    expect(parse(Object.assign(Object.create({ note: 'n' }) as object, { id: 'a' }))).toBe(DECLINED);
    const polluted = Object.prototype as unknown as Record<string, unknown>;
    polluted['id'] = 'inherited';
    try {
      expect(parse({})).toBe(DECLINED);
    } finally {
      delete polluted['id'];
    }
  });

  test('the fast parser declines everything where code generation is forbidden, and the slow parser answers', () => {
    class Plain {
      @Param('Id') id!: string;
    }
    const shape = shapeOf(Plain);
    const { Function: original } = globalThis;
    globalThis.Function = function forbidden(): never {
      throw new EvalError('Code generation from strings disallowed for this context');
    } as unknown as FunctionConstructor;
    try {
      expect(compileFastParser(shape)({ id: 'a' })).toBe(DECLINED);
      expect(createParser(shape)({ id: 'a' })).toEqual({ ok: true, value: { id: 'a' } });
    } finally {
      globalThis.Function = original;
    }
    expect(compileFastParser(shape)({ id: 'a' })).toEqual({ id: 'a' });
  });

  test('the fast parser reads a class that contains itself', () => {
    class Node {
      @Param({ type: () => Node, optional: true }) next?: Node;
    }
    const node = compileFastParser(shapeOf(Node))({ next: { next: {} } }) as Node;
    expect(node.next?.next).toBeInstanceOf(Node);
  });
});
