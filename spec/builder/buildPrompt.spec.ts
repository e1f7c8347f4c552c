import {
  createApplication,
  definePrompt,
  Param,
  Prompt,
  PromptValidationError,
  Section,
  Tool,
  type Finding,
} from 'toolwright';
import { invokeOn } from './invokeOn.js';
import { refusalOf } from './refusalOf.js';
import { toolsOf } from './toolsOf.js';
import { UntypedTool } from './UntypedTool.js';

const line = ({ code, place }: Finding): string => `${code} ${place}`;

describe('buildPrompts: faults', () => {
  test('one error lists the faults of every prompt, prompts in order, rule by rule', async () => {
    class RefundParams {
      @Param('Limit') limit!: { readonly amount: number };
    }
    @Section({ key: 'Bad key', title: ' ', template: '${missing} $' })
    class OrdersSection {
      @UntypedTool({ name: 'Get', description: '' }) getOrder(params: RefundParams, second: RefundParams) {}
      @Tool({ name: 'Get', description: 'Fetch.', result: Object }) listOrders(): object {
        return [];
      }
    }
    @Prompt({ ns: '', key: 'desk', sections: [OrdersSection] })
    class SupportDesk {}
    @Prompt({ ns: 'night', key: '', sections: [undefined as never] })
    class NightDesk {}
    class PlainDesk {}

    const refusal: unknown = await createApplication({ prompts: [SupportDesk, NightDesk, PlainDesk] }).catch(
      (error: unknown) => error,
    );
    const findings = refusal instanceof PromptValidationError ? refusal.findings : [];
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
});

describe('buildPrompts: metadata', () => {
  test('metadata is frozen all the way down', async () => {
    class Order {
      @Param('Order id') orderId!: string;
    }
    @Section({ title: 'Refunds' })
    class RefundsSection {
      @Tool('Answers.') ping() {}
    }
    @Section({
      title: 'Orders',
      params: Order,
      defaults: { orderId: '#W1' },
      template: '$orderId',
      children: [RefundsSection],
    })
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

  test('objects that the user passes are neither frozen nor changed', async () => {
    const statuses = ['pending', 'delivered'];
    const filter = { tags: ['new'] };
    const example = { description: 'All.', input: { status: 'pending' }, output: [{ orderId: '#W1' }] };
    const hints = { readOnly: true };
    class ListParams {
      @Param({ description: 'Status', enum: statuses }) status!: string;
      @Param({ description: 'Filter', record: [String], default: filter }) filter!: Record<string, string[]>;
    }
    class Order {
      @Param('Order id') orderId!: string;
    }
    const defaults = { status: 'pending' };
    @Section({ title: 'Orders', params: ListParams, defaults, template: '$status' })
    class OrdersSection {
      @Tool({ description: 'Fetch.', result: [Order], hints, examples: [example] }) listOrders(
        params: ListParams,
      ): Order[] {
        return [];
      }
    }
    const given = [statuses, filter, filter.tags, example, example.input, example.output, hints, defaults];
    const before = JSON.stringify(given);
    await toolsOf(OrdersSection);
    expect(given.map((value) => Object.isFrozen(value))).toEqual(given.map(() => false));
    expect(JSON.stringify(given)).toBe(before);
  });

  test('the classes themselves are not touched', async () => {
    class Order {
      @Param('Order id') orderId!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Fetch one order.') getOrder(params: Order) {}
    }
    const keys = [OrdersSection, OrdersSection.prototype, Order, Order.prototype].map((owner) =>
      Reflect.ownKeys(owner),
    );
    await toolsOf(OrdersSection);
    expect(
      [OrdersSection, OrdersSection.prototype, Order, Order.prototype].map((owner) => Reflect.ownKeys(owner)),
    ).toEqual(keys);
    expect(Object.isFrozen(OrdersSection)).toBe(false);
  });

  test('two tools share their params and result classes', async () => {
    class OrderParams {
      @Param({ description: 'Order id', pattern: /^#W\d+$/ }) orderId!: string;
    }
    class Order {
      @Param('Order id') orderId!: string;
      @Param('Status') status!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool({ description: 'Fetch one order.', result: Order }) getOrder({ orderId }: OrderParams): Order {
        return Object.assign(new Order(), { orderId, status: 'pending' });
      }
      @Tool({ description: 'Cancel one order.', result: Order }) cancelOrder({ orderId }: OrderParams): Order {
        return Object.assign(new Order(), { orderId, status: orderId === '#W0' ? (5 as never) : 'cancelled' });
      }
    }
    const [get, cancel] = await toolsOf(OrdersSection);
    expect([get?.paramsType, cancel?.paramsType]).toEqual([OrderParams, OrderParams]);
    expect(cancel?.schema).toEqual(get?.schema);
    expect(cancel?.resultType).toEqual(get?.resultType);
    const text = async (name: string, orderId: string) => (await invokeOn(OrdersSection, name, { orderId })).text;
    expect(await text('get_order', '#W1')).toBe('{"orderId":"#W1","status":"pending"}');
    expect(await text('cancel_order', '#W1')).toBe('{"orderId":"#W1","status":"cancelled"}');
    expect((await invokeOn(OrdersSection, 'cancel_order', { orderId: 'x' })).kind).toBe('rejected');
    expect(await text('cancel_order', '#W0')).toContain('status');
  });

  test('a fault of shared classes is reported once', async () => {
    class OrderParams {
      @Param('Order id') orderId!: object;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool({ description: 'Fetch.', result: OrderParams }) getOrder(params: OrderParams): OrderParams {
        return params;
      }
      @Tool('Cancel.') cancelOrder(params: OrderParams) {}
    }
    expect((await refusalOf(OrdersSection)).findings.map(line)).toEqual(['E201 OrderParams.orderId']);
  });

  test('a params class may have static members of any name', async () => {
    class OrderParams {
      static readonly code = 'E000';
      static readonly problem = 'none';
      @Param('Order id') orderId!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool({ description: 'Fetch.', params: OrderParams }) getOrder(params: OrderParams) {}
    }
    expect((await toolsOf(OrdersSection))[0]?.paramsType).toBe(OrderParams);
  });

  test('one class in two applications has the same tools, with instances of their own', async () => {
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
