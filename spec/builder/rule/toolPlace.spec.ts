import { Ctx, Param, Section, Tool, type Constructor } from 'toolwright';
import { refusalOf } from '../refusalOf.js';
import { toolsOf } from '../toolsOf.js';

type MemberDecorator = (target: object, member: string | undefined, third?: PropertyDescriptor | number) => void;

/** `@Tool` where the compiler would refuse it. */
function misplace(target: object, member: string | undefined, third?: PropertyDescriptor | number): void {
  (Tool('Fetch one order.') as unknown as MemberDecorator)(target, member, third);
}

describe('toolPlace', () => {
  test('DECL-11 decorators on a static method, accessor and field are all reported at once, each with its place', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Fetch one order.') static fetchOrder() {}
      firstOrder = '#W0';
      get lastOrder(): string {
        return this.firstOrder;
      }
      @Tool('Fetch one order.') getOrder() {}
    }
    const accessor = Object.getOwnPropertyDescriptor(OrdersSection.prototype, 'lastOrder');
    misplace(OrdersSection.prototype, 'lastOrder', accessor);
    misplace(OrdersSection.prototype, 'firstOrder');

    const { findings } = await refusalOf(OrdersSection);
    const common = { code: 'E103', className: 'OrdersSection', sectionPath: 'orders' };
    expect(findings).toHaveLength(3);
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...common, member: 'fetchOrder', problem: '@Tool is applied to a static member' }),
        expect.objectContaining({ ...common, member: 'lastOrder', problem: '@Tool is applied to an accessor' }),
        expect.objectContaining({ ...common, member: 'firstOrder', problem: '@Tool is applied to a field' }),
      ]),
    );
  });

  test('DECL-11 decorator on a static method: nothing else is said of its signature', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Fetch one order.') static fetchOrder(id: string, limit: number, page: number) {}
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.findings.map(({ code }) => code)).toEqual(['E103']);
    expect(refusal).toMatchObject({ place: 'OrdersSection.fetchOrder', toolName: 'fetch_order' });
  });

  test('DECL-11 decorators on the constructor and on parameters are reported, each with its place', async () => {
    class OrdersSection {
      getOrder(id: string): string {
        return id;
      }
    }
    const { prototype } = OrdersSection;
    misplace(prototype, 'constructor', Object.getOwnPropertyDescriptor(prototype, 'constructor'));
    misplace(prototype, 'getOrder', 0);
    Section({ title: 'Orders' })(OrdersSection);
    class RefundsSection {}
    misplace(RefundsSection, undefined, 0);
    Section({ title: 'Refunds' })(RefundsSection);
    const { findings } = await refusalOf(OrdersSection, RefundsSection);
    expect(findings.map(({ code, place, problem }) => `${code} ${place}: ${problem}`)).toEqual([
      'E103 OrdersSection.constructor: @Tool is applied to a constructor',
      'E103 OrdersSection.getOrder: @Tool is applied to a parameter',
      'E103 RefundsSection.constructor: @Tool is applied to a parameter',
      // Both are derived from the member, so they share a name, too.
      expect.stringMatching(/^E104 RefundsSection\.constructor/),
    ]);
  });

  test.each([
    ['@Param', Param('id', 'Order id')],
    ['@Ctx', Ctx()],
  ])('DECL-11 %s on a parameter of the constructor is a fault', async (_name, decorator) => {
    class Repository {}
    @Section({ title: 'Orders' })
    class OrdersSection {
      constructor(@decorator readonly repository: Repository) {}
    }
    expect(await refusalOf(OrdersSection)).toMatchObject({ place: 'OrdersSection' });
  });

  test('methods, inherited methods and classes are accepted as tools', async () => {
    class Shared {
      @Tool('Fetch one order.') getOrder() {}
    }
    @Tool({ name: 'transfer', description: 'Hand over to a person.' })
    class TransferTool {
      handle() {}
    }
    @Section({ title: 'Orders', tools: [TransferTool] })
    class OrdersSection extends Shared {
      @Tool('Fetch all orders.') async listOrders() {}
    }
    expect((await toolsOf(OrdersSection)).map(({ name }) => name)).toEqual(['get_order', 'list_orders', 'transfer']);
  });

  test('a misplaced tool of a parent class names the class that offers it', async () => {
    class Shared {}
    misplace(Shared, 'fetchOrder');
    @Section({ title: 'Orders' })
    class OrdersSection extends (Shared as Constructor) {}
    expect(await refusalOf(OrdersSection)).toMatchObject({ code: 'E103', place: 'OrdersSection.fetchOrder' });
  });
});
