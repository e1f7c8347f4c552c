import { Param } from 'toolwright';
import { parseToInstance } from '../../src/builder/parseToInstance.js';
import { readDeclaredPattern } from '../../src/schema/pattern/readDeclaredPattern.js';
import { ShapeReader } from '../../src/schema/read/ShapeReader.js';

describe('asInstance', () => {
  test('an instance of exactly the class is taken as it is, unchecked', () => {
    class DeskParams {
      @Param('Who is served') customer!: string;
    }
    const shape = new ShapeReader('as-is', readDeclaredPattern).read(DeskParams);
    const empty = new DeskParams();
    expect(parseToInstance(shape, empty)).toEqual({ ok: true, value: empty });
  });

  test.each([
    ['an ordinary object', { customer: 'Ada' }],
    ['an object without prototype', Object.assign(Object.create(null) as object, { customer: 'Ada' })],
  ])('%s is parsed into an instance', (_case, value) => {
    class DeskParams {
      @Param('Who is served') customer!: string;
      @Param('How often') times = 2;
    }
    const made = parseToInstance(new ShapeReader('as-is', readDeclaredPattern).read(DeskParams), value);
    expect(made.ok && made.value).toBeInstanceOf(DeskParams);
    expect(made.ok && made.value).toEqual({ customer: 'Ada', times: 2 });
  });

  test('every issue of a plain object is named', () => {
    class DeskParams {
      @Param('Who is served') customer!: string;
      @Param('How often') times = 2;
    }
    const made = parseToInstance(new ShapeReader('as-is', readDeclaredPattern).read(DeskParams), {
      times: 'often',
      tmies: 3,
    });
    expect(made.ok).toBe(false);
    const problem = made.ok ? '' : made.problem;
    for (const word of ['customer', 'times', 'tmies']) expect(problem).toContain(word);
  });

  test.each([
    ['a subclass', (base: new () => object): unknown => new (class Night extends base {})(), 'Night'],
    ['another class', (): unknown => new Date(0), 'Date'],
    ['an array', (): unknown => ['Ada'], 'Array'],
  ])('an instance of %s is refused by name', (_case, make, name) => {
    class DeskParams {
      @Param('Who is served') customer = 'Ada';
    }
    const made = parseToInstance(
      new ShapeReader('as-is', readDeclaredPattern).read(DeskParams),
      make(DeskParams) as object,
    );
    expect(made).toEqual({ ok: false, problem: expect.stringContaining(name) as unknown });
  });
});
