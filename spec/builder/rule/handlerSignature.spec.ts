import {
  Ctx,
  defineSection,
  defineTool,
  Param,
  Section,
  Tool,
  ToolContext,
  type Constructor,
  type ParamOptions,
  type ToolContext as ContextType,
} from 'toolwright';
import { z } from 'zod';
import type { ParameterParamDecorator } from 'toolwright/types';
import { decorateTool } from '../decorateTool.js';
import { refusalOf } from '../refusalOf.js';
import { toolsOf } from '../toolsOf.js';
import { UntypedTool } from '../UntypedTool.js';

/** `@Param` in the form of properties, on a parameter: the compiler would refuse it. */
const MisusedParam = Param as unknown as (words: string | ParamOptions) => ParameterParamDecorator;

describe('handlerSignature', () => {
  test.each(['by its signature', 'by an option'])(
    'E219 a params class without properties, named %s, is refused',
    async (how) => {
      class Forgotten {
        orderId!: string;
      }
      @Section({ title: 'Orders' })
      class OrdersSection {
        @Tool(how === 'by an option' ? { description: 'One.', params: Forgotten } : 'One.') one(params: Forgotten) {}
      }
      expect((await refusalOf(OrdersSection)).findings).toMatchObject([
        { code: 'E219', place: 'OrdersSection.one', problem: 'its params class Forgotten declares no property' },
      ]);
    },
  );

  test('E219 for a class of createZodDto names its schema, which works', async () => {
    const schema = z.strictObject({ orderId: z.string() });
    // As nestjs-zod makes it.
    class GetOrderDto {
      static readonly isZodDto = true;
      static readonly schema = schema;
      orderId!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('One.') one(params: GetOrderDto) {}
    }
    expect((await refusalOf(OrdersSection)).findings).toMatchObject([
      { code: 'E219', remedy: 'Name the schema of the class: @Tool({ params: GetOrderDto.schema }).' },
    ]);
    @Section({ title: 'Orders' })
    class MendedSection {
      @Tool({ description: 'One.', params: GetOrderDto.schema }) one(params: GetOrderDto) {}
    }
    const [tool] = await toolsOf(MendedSection);
    expect(tool?.name).toBe('one');
  });

  test('E105, E106, E207 at once: every handler with its own fault and place', async () => {
    class GetOrderParams {
      @Param('Order id') orderId!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @UntypedTool('One.') one(params: GetOrderParams, second: GetOrderParams) {}
      @Tool('Two.') two(params: { orderId: string }) {}
      @Tool('Three.') three(@MisusedParam('Order id') orderId: string) {}
      @Tool('Four.') four(params: GetOrderParams, context: ContextType) {}
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.findings).toMatchObject([
      { code: 'E105', place: 'OrdersSection.one', member: 'one', toolName: 'one' },
      { code: 'E106', place: 'OrdersSection.two', member: 'two', toolName: 'two' },
      { code: 'E207', place: 'OrdersSection.three', member: 'three', toolName: 'three' },
      { code: 'E106', place: 'OrdersSection.four', member: 'four', toolName: 'four' },
    ]);
    expect(refusal).toMatchObject({ code: 'E105', sectionPath: 'orders', toolName: 'one' });
  });

  test('DECL-15 undecorated parameter beside @Param scalars: its index is named', async () => {
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('Compare two cities.') compare(a: string, @Param('b', 'Second city') b: string) {}
    }
    const refusal = await refusalOf(WeatherSection);
    expect(refusal.findings).toHaveLength(1);
    expect(refusal).toMatchObject({ code: 'E105', place: 'WeatherSection.compare', toolName: 'compare' });
    expect(refusal.findings[0]?.problem).toContain('parameter 0');
  });

  test('DECL-16 two context parameters, however they are marked', async () => {
    class GetOrderParams {
      @Param('Order id') orderId!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @UntypedTool('One.') one(@Ctx() a: ToolContext, @Ctx() b: ToolContext) {}
      @UntypedTool('Two.') two(params: GetOrderParams, a: ToolContext, @Ctx() b: unknown) {}
      @Tool('Three.') three(@Param('city', 'City') city: string, a: ToolContext, b: ToolContext) {}
    }
    const { findings } = await refusalOf(OrdersSection);
    expect(findings.map(({ code, place }) => `${code} ${place}`)).toEqual([
      'E105 OrdersSection.one',
      'E105 OrdersSection.two',
      'E105 OrdersSection.three',
    ]);
  });

  test('DECL-16 context decorated as @Param, and the other way round', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('One.') one(@Param('context', 'Context') context: ToolContext) {}
      @Tool('Two.') two(@Ctx() @Param('city', 'City') city: string) {}
    }
    const { findings } = await refusalOf(OrdersSection);
    expect(findings).toMatchObject([
      { code: 'E105', place: 'OrdersSection.one' },
      { code: 'E105', place: 'OrdersSection.two' },
    ]);
    expect(findings[0]?.problem).toContain('parameter 0');
  });

  test('@Tool({ params }) and @Param scalars exclude each other', async () => {
    class GetOrderParams {
      @Param('Order id') orderId!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool({ description: 'One.', params: GetOrderParams }) one(@Param('id', 'Order id') id: string) {}
    }
    expect(await refusalOf(OrdersSection)).toMatchObject({ code: 'E105', place: 'OrdersSection.one' });
  });

  test.each([
    ['a thunk of undefined', () => undefined as never, 'third file'],
    ['a thunk of null', () => null as never, 'third file'],
    ['a value that is no class', { orderId: 'string' } as never, 'jsonSchema<T>('],
  ])('E307: params that return %s are refused, for a method and for a defined tool', async (_case, params, remedy) => {
    @Tool({ name: 'transfer', description: 'Hand over.', params })
    class TransferTool {
      handle(input: never) {}
    }
    @Section({
      title: 'Orders',
      tools: [defineTool({ name: 'list_orders', description: 'Fetch all.', params, handler: null }), TransferTool],
    })
    class OrdersSection {
      @Tool({ description: 'Fetch one order.', params }) getOrder(input: never) {}
    }
    const { findings } = await refusalOf(OrdersSection);
    expect(findings).toMatchObject([
      { code: 'E307', place: 'OrdersSection.getOrder', toolName: 'get_order', sectionPath: 'orders' },
      { code: 'E307', place: 'list_orders', toolName: 'list_orders', sectionPath: 'orders' },
      { code: 'E307', place: 'TransferTool', toolName: 'transfer', sectionPath: 'orders' },
    ]);
    expect(findings[0]?.remedy).toContain(remedy);
  });

  test('E107: a class tool needs a method named handle', async () => {
    @(Tool({ name: 'transfer', description: 'Hand over.' }) as (type: Constructor) => void)
    class TransferTool {
      run() {}
    }
    const refusal = await refusalOf(defineSection({ key: 'desk', title: 'Desk', tools: [TransferTool] }));
    expect(refusal.findings).toHaveLength(1);
    expect(refusal).toMatchObject({ code: 'E107', place: 'TransferTool', sectionPath: 'desk', toolName: 'transfer' });
    expect(refusal.findings[0]).toMatchObject({ className: 'TransferTool', member: undefined });
    expect(refusal.remedy).toContain('handle(params, context)');
  });

  test('E107: a class tool that takes params has to name them', async () => {
    class TransferParams {
      @Param('To whom') to!: string;
    }
    @Tool({ name: 'transfer', description: 'Hand over.' })
    class TransferTool {
      handle(params: TransferParams) {}
    }
    const refusal = await refusalOf(defineSection({ key: 'desk', title: 'Desk', tools: [TransferTool] }));
    expect(refusal).toMatchObject({ code: 'E107', place: 'TransferTool' });
    expect(refusal.remedy).toContain('@Tool({ params: X })');
  });

  test('class tools with params by class and by thunk, and without any, are accepted', async () => {
    class TransferParams {
      @Param('To whom') to!: string;
    }
    @Tool({ name: 'by_class', description: 'Hand over.', params: TransferParams })
    class ByClass {
      handle(params: TransferParams, context: ToolContext) {}
    }
    @Tool({ name: 'by_thunk', description: 'Hand over.', params: () => TransferParams })
    class ByThunk {
      handle(params: TransferParams) {}
    }
    @Tool({ name: 'without', description: 'Hand over.' })
    class Without {
      handle() {}
    }
    const tools = await toolsOf(
      defineSection({ key: 'desk', title: 'Desk', tools: [ByClass, () => ByThunk, Without] }),
    );
    expect(tools.map(({ paramsType }) => paramsType)).toEqual([TransferParams, TransferParams, null]);
  });

  test('DECL-12 @Param metadata without emitDecoratorMetadata: a params class', async () => {
    class OrdersSection {
      getOrder(params: object): unknown {
        return params;
      }
    }
    decorateTool(OrdersSection, 'getOrder', 'Fetch one order.');
    Section({ title: 'Orders' })(OrdersSection);
    const refusal = await refusalOf(OrdersSection);
    expect(refusal).toMatchObject({ code: 'E106', place: 'OrdersSection.getOrder', toolName: 'get_order' });
    expect(refusal.remedy).toMatch(/@Tool\(\{ params: X \}\).*emitDecoratorMetadata/);
    expect(refusal.findings[0]?.problem).toContain('parameter 0');
  });

  test('DECL-12 @Param metadata without emitDecoratorMetadata: a scalar', async () => {
    class WeatherSection {
      weather(city: string): string {
        return city;
      }
    }
    Param('city', 'City and state')(WeatherSection.prototype, 'weather', 0);
    decorateTool(WeatherSection, 'weather', 'Current weather.');
    Section({ title: 'Weather' })(WeatherSection);
    const refusal = await refusalOf(WeatherSection);
    expect(refusal).toMatchObject({ code: 'E201', sectionPath: 'weather', toolName: 'weather' });
    expect(refusal.findings[0]).toMatchObject({ className: 'WeatherSection', member: 'weather' });
    expect(refusal.findings[0]?.problem).toMatch(/parameter 0.*city|city.*parameter 0/);
    expect(refusal.remedy).toContain('type:');
  });
});
