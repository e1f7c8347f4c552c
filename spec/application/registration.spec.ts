import fc from 'fast-check';
import { createApplication, definePrompt, Param, type Ref, Section, Tool } from 'toolwright';
import { fromTypedi } from 'toolwright/adapters';
import { Container, Inject } from 'typedi';

type Name =
  | 'Clock'
  | 'Repository'
  | 'Orders'
  | 'Mailbox'
  | 'GetParams'
  | 'SendParams'
  | 'CountTool'
  | 'MailSection'
  | 'OrdersSection';
type Graph = Record<Name, new (...args: unknown[]) => object>;

/** The declaration of each class of the graph. They name each other by thunks, so any of them can be the first. */
const declare: Readonly<Record<Name, (graph: Graph) => new (...args: never[]) => object>> = {
  Clock: () => class Clock {},
  Repository: (graph) => {
    class Repository {
      constructor(@Inject(() => graph.Clock) readonly clock: unknown) {}
    }
    return Repository;
  },
  Orders: (graph) => {
    class Orders {
      constructor(@Inject(() => graph.Repository) readonly repository: unknown) {}
    }
    return Orders;
  },
  Mailbox: () => class Mailbox {},
  GetParams: () => {
    class GetParams {
      @Param('Order id') id!: string;
      @Param('Days to look back') days = 3;
    }
    return GetParams;
  },
  SendParams: () => {
    class SendParams {
      @Param('Receiver') to!: string;
      @Param('Text') text!: string;
    }
    return SendParams;
  },
  CountTool: (graph) => {
    @Tool({ name: 'count', description: 'Counts.', params: () => graph.GetParams })
    class CountTool {
      constructor(@Inject(() => graph.Orders) readonly orders: unknown) {}
      handle(): void {}
    }
    return CountTool;
  },
  MailSection: (graph) => {
    @Section({ key: 'mail', title: 'Mail', template: 'Write.' })
    class MailSection {
      constructor(@Inject(() => graph.Mailbox) readonly mailbox: unknown) {}
      @Tool({ description: 'Sends.', params: () => graph.SendParams }) send(params: Ref<object>): void {}
    }
    return MailSection;
  },
  OrdersSection: (graph) => {
    @Section({
      key: 'orders',
      title: 'Orders',
      template: 'Look up.',
      children: [() => graph.MailSection],
      tools: [() => graph.CountTool],
    })
    class OrdersSection {
      constructor(@Inject(() => graph.Orders) readonly orders: unknown) {}
      @Tool({ description: 'Fetch one order.', params: () => graph.GetParams }) getOrder(params: Ref<object>): void {}
      @Tool('Fetch all orders.') listOrders(): void {}
    }
    return OrdersSection;
  },
};
const names = Object.keys(declare) as readonly Name[];

let containers = 0;

/** The text and tools when the classes are declared, and registered with the container, in these orders. */
async function shown(declared: readonly Name[], registered: readonly Name[]): Promise<string> {
  const graph = {} as Graph;
  for (const name of declared) graph[name] = declare[name](graph) as Graph[Name];
  const id = `stability-${String(++containers)}`;
  for (const name of registered) Container.of(id).set({ id: graph[name], type: graph[name] });
  const desk = definePrompt({ ns: 'n', key: 'k', sections: [graph.OrdersSection] });
  const app = await createApplication({ prompts: [desk], container: fromTypedi(Container, { id }) });
  const rendered = await app.prompt(desk).render();
  Container.reset(id);
  return JSON.stringify([
    rendered.text,
    rendered.tools.map(({ name }) => name),
    rendered.toolSchemas('openai', { strict: true }),
    rendered.fingerprint,
  ]);
}

test('CONT-11 registration order: 100 shuffled declarations and registrations of one graph produce the same bytes', async () => {
  const expected = await shown(names, names);
  expect((JSON.parse(expected) as unknown[]).slice(0, 2)).toEqual([
    '## 1. Orders (orders)\n\nLook up.\n\n### 1.1. Mail (orders.mail)\n\nWrite.',
    ['get_order', 'list_orders', 'count', 'send'],
  ]);
  const orders = new Set<string>();
  const shuffled = fc.shuffledSubarray([...names], { minLength: names.length });
  await fc.assert(
    fc.asyncProperty(shuffled, shuffled, async (declared, registered) => {
      orders.add(`${declared.join()} ${registered.join()}`);
      expect(await shown(declared, registered)).toBe(expected);
    }),
    { numRuns: 100 },
  );
  expect(orders.size).toBeGreaterThan(90);
});
