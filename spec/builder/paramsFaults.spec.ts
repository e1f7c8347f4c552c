import 'reflect-metadata';
import { Param, Section, Tool, ToolContext, type Constructor, type Finding, type ParamOptions } from 'toolwright';
import { refusalOf } from './refusalOf.js';
import { toolsOf } from './toolsOf.js';

const line = ({ code, place }: Finding): string => `${code} ${place}`;

describe('buildPrompts: faults of params classes', () => {
  test('a params class that tools and sections share is at fault once', async () => {
    class Shared {
      @Param('Limit') limit!: { readonly amount: number };
    }
    @Section({ title: 'Orders', params: Shared })
    class OrdersSection {
      @Tool('Fetch one order.') getOrder(params: Shared) {}
      @Tool('Fetch all orders.') listOrders(params: Shared, context: ToolContext) {}
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.findings.map(line)).toEqual(['E201 Shared.limit']);
    expect(refusal).toMatchObject({ paramsType: 'Shared', placeholder: undefined });
    expect(refusal.findings[0]).toMatchObject({ className: 'Shared', member: 'limit' });
  });

  test('two params classes of one name are distinguished: each fault names its own tool', async () => {
    const fine = class Params {
      declare id: string;
    };
    Param({ description: 'Order id', type: String })(fine.prototype, 'id');
    const faulty = class Params {
      declare id: unknown;
    };
    Param({ description: 'Order id', type: Object })(faulty.prototype, 'id');
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool({ description: 'Fetch one order.', params: fine }) getOrder(params: object) {}
      @Tool({ description: 'Cancel one order.', params: faulty }) cancelOrder(params: object) {}
    }
    const { findings } = await refusalOf(OrdersSection);
    expect(findings).toMatchObject([{ code: 'E201', place: 'Params.id', toolName: 'cancel_order' }]);
  });

  test('E202: a params class whose constructor throws', async () => {
    class GetOrderParams {
      @Param('Order id') orderId: string;
      constructor(source?: { readonly id: string }) {
        this.orderId = source!.id;
      }
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Fetch one order.') getOrder(params: GetOrderParams) {}
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal).toMatchObject({ code: 'E202', place: 'GetOrderParams', paramsType: 'GetOrderParams' });
  });

  test('E204: two properties with one wire name are refused', async () => {
    class GetOrderParams {
      @Param('Order id') orderId!: string;
      @Param({ description: 'Order number', name: 'orderId' }) orderNumber!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Fetch one order.') getOrder(params: GetOrderParams) {}
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal).toMatchObject({ code: 'E204', place: 'GetOrderParams.orderNumber' });
    expect(refusal.findings[0]?.problem).toContain('GetOrderParams.orderId');
  });

  test("E204: two @Param scalars with one name are the handler's fault", async () => {
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('Compare.') compare(@Param('city', 'First') a: string, @Param('city', 'Second') b: string) {}
    }
    expect((await refusalOf(WeatherSection)).findings.map(({ code }) => code)).toEqual(['E204']);
  });

  test.each<[string, ParamOptions, Constructor]>([
    ['a number below its minimum', { description: 'Count', integer: true, min: 1, default: 0 }, Number],
    ['a text that is too long', { description: 'Word', maxLength: 3, default: 'four' }, String],
    ['a value of another type', { description: 'Word', default: 5 }, String],
    ['a value outside its enum', { description: 'Unit', enum: ['C', 'F'], default: 'K' }, String],
  ])('DECL-17 default does not satisfy its own schema: %s', async (_case, options, type) => {
    class Params {
      declare value: unknown;
    }
    Reflect.defineMetadata('design:type', type, Params.prototype, 'value');
    Param(options)(Params.prototype, 'value');
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Fetch orders.') listOrders(params: Params) {}
    }
    expect(await refusalOf(OrdersSection)).toMatchObject({ code: 'E203', place: 'Params.value' });
  });

  test('DECL-17 default does not satisfy its own schema: an initialiser', async () => {
    class Params {
      @Param({ description: 'Count', min: 1, max: 9 }) count = 10;
      @Param({ description: 'Limit', min: 1, max: 9 }) limit = 9;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Fetch orders.') listOrders(params: Params) {}
    }
    expect((await refusalOf(OrdersSection)).findings.map(line)).toEqual(['E203 Params.count']);
  });

  test.each<[string, ParamOptions]>([
    ['__proto__', { description: 'A word', type: String }],
    ['word', { description: 'A word', type: String, name: '__proto__' }],
  ])('DECL-20 param property named __proto__ is refused: %s', async (property, options) => {
    class Params {}
    Param(options)(Params.prototype, property);
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Echo.') echo(params: Params) {}
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.findings).toHaveLength(1);
    expect(refusal).toMatchObject({
      code: 'E208',
      place: `Params.${property}`,
      toolName: 'echo',
      paramsType: 'Params',
    });
    expect(refusal.remedy).toContain('another name');
  });

  test('DECL-20 a scalar parameter named __proto__ is refused with its handler', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Echo.') echo(@Param('__proto__', 'A word') word: string) {}
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal).toMatchObject({ code: 'E208', place: 'OrdersSection.echo', toolName: 'echo' });
    expect(refusal.findings[0]?.problem).toContain('parameter 0');
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'DECL-20 param property named %s is safe as an own property, in schema and in the instance',
    async (property) => {
      class Params {}
      Reflect.defineMetadata('design:type', String, Params.prototype, property);
      Param({ description: 'A word', type: String })(Params.prototype, property);
      @Section({ title: 'Orders' })
      class OrdersSection {
        @Tool('Echo.') echo(params: Params) {}
      }
      const [tool] = await toolsOf(OrdersSection);
      const properties = tool?.schema['properties'] as object;
      expect(Object.getOwnPropertyDescriptor(properties, property)?.value).toMatchObject({ type: 'string' });
      expect(tool?.schema['required']).toEqual([property]);
      const parsed = tool?.metadata.parse(JSON.parse(`{${JSON.stringify(property)}:"x"}`));
      const instance = parsed?.ok === true ? (parsed.value as object) : {};
      expect(Object.getOwnPropertyDescriptor(instance, property)?.value).toBe('x');
      expect(Object.getPrototypeOf(instance)).toBe(Params.prototype);
    },
  );
});
