import { defineSection, defineTool, Param, Section, Tool, type Constructor, type ToolExample } from 'toolwright';
import type { TypeReference } from 'toolwright/types';
import { refusalOf } from '../refusalOf.js';
import { toolsOf } from '../toolsOf.js';

const description = 'A plain order.';

/** A section with a tool that has these examples. */
function sectionWith(
  examples: readonly ToolExample[],
  types: { readonly params?: Constructor; readonly result?: TypeReference } = {},
): Constructor {
  const tool = defineTool({ name: 'get_order', description: 'Fetch one order.', examples, handler: null, ...types });
  return defineSection({ key: 'orders', title: 'Orders', tools: [tool] });
}

describe('toolExamples', () => {
  test('DECL-24 example that violates the schema: every wrong one is reported with its number', async () => {
    class GetOrderParams {
      @Param('Order id') orderId!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool({
        description: 'Fetch one order.',
        examples: [
          { description, input: { wrong: 1 }, output: null },
          { description, input: { orderId: '#W1' }, output: null },
          { description, input: { orderId: 5 }, output: null },
        ],
      })
      getOrder(params: GetOrderParams) {}
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal).toMatchObject({
      code: 'E109',
      place: 'OrdersSection.getOrder',
      sectionPath: 'orders',
      toolName: 'get_order',
      paramsType: 'GetOrderParams',
      placeholder: 'examples',
    });
    expect(refusal.findings).toHaveLength(2);
    expect(refusal.findings[0]).toMatchObject({ className: 'OrdersSection', member: 'getOrder' });
    expect(refusal.findings[0]?.problem).toMatch(/example 1: .*orderId.*wrong/);
    expect(refusal.findings[1]?.problem).toMatch(/example 3: .*orderId/);
  });

  test('instances of exactly the params class, and plain objects that parse, are accepted as examples', async () => {
    class GetOrderParams {
      @Param('Order id') orderId = '#W0';
      @Param('With payments') withPayments = false;
    }
    const examples = [
      { description, input: new GetOrderParams(), output: null },
      { description, input: { orderId: '#W1' }, output: null },
      { description, input: {}, output: null },
    ];
    const [tool] = await toolsOf(sectionWith(examples, { params: GetOrderParams }));
    expect(tool?.examples).toEqual(examples);
  });

  test('an example that is an instance of a subclass or of another class is refused', async () => {
    class GetOrderParams {
      @Param('Order id') orderId = '#W0';
    }
    class GetOldOrderParams extends GetOrderParams {}
    const examples = [{ description, input: new GetOldOrderParams(), output: null }];
    const refusal = await refusalOf(sectionWith(examples, { params: GetOrderParams }));
    expect(refusal.findings[0]?.problem).toMatch(/GetOldOrderParams.*GetOrderParams/);
  });

  test('an example that breaks the rules of its own class is refused', async () => {
    class GetOrderParams {
      @Param({ description: 'Order id', pattern: /^#W\d+$/ }) orderId!: string;
    }
    const of = (orderId?: string) => {
      const input = Object.assign(new GetOrderParams(), orderId === undefined ? {} : { orderId });
      return sectionWith([{ description, input, output: null }], { params: GetOrderParams });
    };
    expect(await toolsOf(of('#W1'))).toHaveLength(1);
    expect((await refusalOf(of('W1'))).findings[0]?.problem).toMatch(/example 1: its input would be refused: orderId/);
    expect((await refusalOf(of())).findings[0]?.problem).toMatch(/orderId is required/);
  });

  test.each([
    ['null input where there are params', null],
    ['a scalar where there are params', '#W1'],
    ['an array where there are params', ['#W1']],
  ])('an example of a tool is refused: %s', async (_case, input) => {
    class GetOrderParams {
      @Param('Order id') orderId = '#W0';
    }
    const refusal = await refusalOf(sectionWith([{ description, input, output: null }], { params: GetOrderParams }));
    expect(refusal).toMatchObject({ code: 'E109', paramsType: 'GetOrderParams' });
  });

  test('an example has null exactly where the tool has no params and no result', async () => {
    expect(await toolsOf(sectionWith([{ description, input: null, output: null }]))).toHaveLength(1);
    const withInput = await refusalOf(sectionWith([{ description, input: {}, output: null }]));
    expect(withInput.findings[0]?.problem).toContain('input must be null');
    const withOutput = await refusalOf(sectionWith([{ description, input: null, output: 'x' }]));
    expect(withOutput.findings[0]?.problem).toContain('output must be null');
    const without = await refusalOf(sectionWith([{ description, input: null, output: null }], { result: String }));
    expect(without.findings[0]?.problem).toContain('output must not be null');
  });

  test.each([
    ['1 character', 'x'],
    ['200 characters', 'x'.repeat(200)],
  ])('an example with a description of %s is accepted', async (_case, words) => {
    expect(await toolsOf(sectionWith([{ description: words, input: null, output: null }]))).toHaveLength(1);
  });

  test.each([
    ['no characters', '', 'empty'],
    ['201 characters', 'x'.repeat(201), 'at most 200'],
    ['letters that are not ASCII', 'Größe', 'ASCII'],
  ])('an example with a description of %s is refused', async (_case, words, problem) => {
    const refusal = await refusalOf(sectionWith([{ description: words, input: null, output: null }]));
    expect(refusal).toMatchObject({ code: 'E109', toolName: 'get_order', placeholder: 'description' });
    expect(refusal.findings[0]?.problem).toMatch(new RegExp(`example 1: .*${problem}`));
  });

  test.each<[string, TypeReference, unknown]>([
    ['a string', String, 'delivered'],
    ['a number', Number, 0],
    ['an array', [String], ['a', 'b']],
    ['an empty array', { array: Number }, []],
    ['a record', { record: Number }, { apples: 2 }],
    ['a tuple', { tuple: [String, Number] }, ['apples', 2]],
  ])('an example whose output is %s is accepted', async (_case, result, output) => {
    expect(await toolsOf(sectionWith([{ description, input: null, output }], { result }))).toHaveLength(1);
  });

  test.each<[string, TypeReference, unknown]>([
    ['no string', String, 5],
    ['no number', Number, Number.NaN],
    ['not the array that an array tool gives', [String], 'a'],
    ['an array with a wrong item', { array: Number }, [1, 'two']],
    ['a record with a wrong value', { record: Number }, { apples: 'two' }],
    ['a tuple that is too short', { tuple: [String, Number] }, ['apples']],
  ])('an example whose output is %s is refused', async (_case, result, output) => {
    const refusal = await refusalOf(sectionWith([{ description, input: null, output }], { result }));
    expect(refusal).toMatchObject({ code: 'E109', placeholder: 'examples' });
    expect(refusal.findings[0]?.problem).toMatch(/^example 1: its output/);
  });

  test('an output has no key too many and no instance of another class, at any depth', async () => {
    class Line {
      @Param('Item id') itemId = 'a';
    }
    class OtherLine extends Line {}
    class Order {
      @Param('Order id') orderId = '#W1';
      @Param({ description: 'Lines', type: () => [Line] }) lines: readonly Line[] = [];
    }
    const of = (output: unknown) => sectionWith([{ description, input: null, output }], { result: [Order] });
    expect(await toolsOf(of([{ orderId: '#W2', lines: [{ itemId: 'b' }] }]))).toHaveLength(1);
    const refused = [
      [[{ orderId: '#W2', zip: 1 }], /example 1: its output is not a declared result: \[0\]\.zip/],
      [
        [Object.assign(new Order(), { lines: [new OtherLine()] })],
        /\[0\]\.lines\[0\] is an instance of OtherLine, not of Line/,
      ],
      [[{ lines: [{ itemId: 'b', price: 1 }] }], /\[0\]\.lines\[0\]\.price/],
    ] as const;
    for (const [output, problem] of refused) {
      const refusal = await refusalOf(of(output));
      expect(refusal).toMatchObject({ code: 'E109', placeholder: 'examples' });
      expect(refusal.findings[0]?.problem).toMatch(problem);
    }
  });

  test('an output is an instance of exactly the result class, or a plain row', async () => {
    class Order {
      @Param('Order id') orderId = '#W1';
    }
    class OldOrder extends Order {}
    const of = (output: unknown) => sectionWith([{ description, input: null, output }], { result: Order });
    expect(await toolsOf(of(new Order()))).toHaveLength(1);
    expect(await toolsOf(of({ orderId: '#W2' }))).toHaveLength(1);
    expect(await refusalOf(of(new OldOrder()))).toMatchObject({ code: 'E109' });
    expect(await refusalOf(of({ orderId: 2 }))).toMatchObject({ code: 'E109' });
    expect(await refusalOf(of('#W1'))).toMatchObject({ code: 'E109' });
  });
});
