import 'reflect-metadata';
import {
  createApplication,
  definePrompt,
  Param,
  Prompt,
  PromptValidationError,
  Section,
  Tool,
  ToolContext,
  ToolwrightError,
  type Finding,
} from 'toolwright';
import { refusalOf } from './refusalOf.js';
import { toolsOf } from './toolsOf.js';

const line = ({ code, place }: Finding): string => `${code} ${place}`;

describe('buildPrompts: faults', () => {
  test('everything wrong with every prompt stands in one error, prompts in order, rule by rule', async () => {
    class RefundParams {
      @Param('Limit') limit!: { readonly amount: number };
    }
    @Section({ key: 'Bad key', title: ' ', template: '${missing} $' })
    class OrdersSection {
      @Tool({ name: 'Get', description: '' }) getOrder(params: RefundParams, second: RefundParams) {}
      @Tool({ name: 'Get', description: 'Fetch.', result: Object }) listOrders() {}
    }
    @Prompt({ ns: '', key: 'desk', sections: [OrdersSection] })
    class SupportDesk {}
    @Prompt({ ns: 'night', key: '', sections: [undefined as never] })
    class NightDesk {}
    class PlainDesk {}

    const refusal: unknown = await createApplication({ prompts: [SupportDesk, NightDesk, PlainDesk] }).catch(
      (error: unknown) => error,
    );
    const findings = PromptValidationError.is(refusal) ? refusal.findings : [];
    expect(findings.map(line)).toEqual([
      'E306 SupportDesk',
      'E302 OrdersSection',
      'E311 OrdersSection',
      'E305 OrdersSection',
      'E304 OrdersSection',
      'E101 OrdersSection.getOrder',
      'E101 OrdersSection.listOrders',
      'E102 OrdersSection.getOrder',
      'E104 OrdersSection.listOrders',
      'E105 OrdersSection.getOrder',
      'E201 OrdersSection.listOrders',
      'E307 NightDesk',
      'E306 NightDesk',
      'E301 PlainDesk',
    ]);
    expect(refusal).toMatchObject({ name: 'PromptValidationError', code: 'E306', place: 'SupportDesk' });
    expect((refusal as Error).message).toMatch(/^14 faults in the declarations:\n\nE306 SupportDesk: /);
  });

  test('one fault reads as one', async () => {
    @Section({ title: '' })
    class OrdersSection {}
    expect((await refusalOf(OrdersSection)).message).toMatch(/^1 fault in the declarations:\n/);
  });

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

  test('E204: two properties with one wire name', async () => {
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

  test.each([
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

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'DECL-20 param property named %s: refused, or safe as an own property',
    async (property) => {
      class Params {}
      Reflect.defineMetadata('design:type', String, Params.prototype, property);
      Param({ description: 'A word', type: String })(Params.prototype, property);
      @Section({ title: 'Orders' })
      class OrdersSection {
        @Tool('Echo.') echo(params: Params) {}
      }
      const outcome = await toolsOf(OrdersSection).catch((error: unknown) => error);
      if (!Array.isArray(outcome)) {
        expect(ToolwrightError.is(outcome)).toBe(true);
        return;
      }
      const [tool] = outcome as Awaited<ReturnType<typeof toolsOf>>;
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

describe('buildPrompts: what it makes', () => {
  test('metadata is frozen all the way down', async () => {
    class Order {
      @Param('Order id') orderId!: string;
    }
    @Section({ title: 'Refunds' })
    class RefundsSection {
      @Tool('Answers.') ping() {}
    }
    @Section({ title: 'Orders', params: Order, defaults: { orderId: '#W1' }, template: '$orderId', children: [RefundsSection] })
    class OrdersSection {
      @Tool({
        description: 'Fetch one order.',
        result: Order,
        hints: { readOnly: true },
        examples: [{ description: 'One.', input: { orderId: '#W1' }, output: { orderId: '#W1' } }],
      })
      getOrder(params: Order): Order {
        return params;
      }
    }
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [OrdersSection] });
    const { metadata } = (await createApplication({ prompts: [desk] })).prompt(desk);
    expect(unfrozen(metadata, 'prompt')).toEqual([]);
  });

  test('the classes themselves are not touched', async () => {
    class Order {
      @Param('Order id') orderId!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Fetch one order.') getOrder(params: Order) {}
    }
    const keys = [OrdersSection, OrdersSection.prototype, Order, Order.prototype].map((owner) => Reflect.ownKeys(owner));
    await toolsOf(OrdersSection);
    expect([OrdersSection, OrdersSection.prototype, Order, Order.prototype].map((owner) => Reflect.ownKeys(owner))).toEqual(keys);
    expect(Object.isFrozen(OrdersSection)).toBe(false);
  });

  test('one class in two applications gives the same tools, each application on its own', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Fetch one order.') getOrder() {}
    }
    const [first] = await toolsOf(OrdersSection);
    const [second] = await toolsOf(OrdersSection);
    expect(second?.metadata.schema).toEqual(first?.metadata.schema);
    expect(second?.metadata).not.toBe(first?.metadata);
    expect(second?.owner).not.toBe(first?.owner);
  });

  test('sections are numbered, also below each other, and listed depth first', async () => {
    @Section({ title: 'Lines' })
    class LinesSection {}
    @Section({ title: 'Refunds', children: [LinesSection] })
    class RefundsSection {}
    @Section({ title: 'Orders', enabled: false })
    class OrdersSection {}
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [OrdersSection, RefundsSection] });
    const { metadata } = (await createApplication({ prompts: [desk] })).prompt(desk);
    expect(metadata.allSections.map(({ number, path, depth }) => `${number} ${path} ${String(depth)}`)).toEqual([
      '1 orders 0',
      '2 refunds 0',
      '2.1 refunds.lines 1',
    ]);
  });
});

/** Paths of everything below a value that can still be changed; instances of classes and the user's own examples apart. */
function unfrozen(value: unknown, path: string, seen = new Set<unknown>()): readonly string[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return [];
  seen.add(value);
  const below = Object.entries(value)
    .filter(([key]) => !(path.endsWith('.examples') && /^\d+$/.test(key)))
    .flatMap(([key, entry]) => unfrozen(entry, `${path}.${key}`, seen));
  return Object.isFrozen(value) ? below : [path, ...below];
}
