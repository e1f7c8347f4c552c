import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { findScenario } from '../../../samples/20-retail-desk/demo/scenario.js';
import { generateRetailData } from '../../../samples/20-retail-desk/generate.js';
import { createRetailServer } from '../../../samples/20-retail-desk/mcpServer.js';
import { RetailStore } from '../../../samples/20-retail-desk/store/RetailStore.js';
import { clientOf, closeAll } from '../../../packages/mcp/spec/support/serverKit';

afterEach(closeAll);

test('the desk serves an MCP client, whose user approves large refunds', async () => {
  const data = generateRetailData(20);
  const { order } = findScenario(data)!;
  const store = RetailStore.of(data);
  const { app, server } = await createRetailServer(store);
  const client = await clientOf(server, { elicitation: {} });
  const answers: ('decline' | 'accept')[] = ['decline', 'accept'];
  const asked: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: answers[asked.length - 1]! };
  });
  const call = async (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });

  expect(client.getInstructions()).toContain('You are the support agent of the Harbour Store.');
  const closed = await client.listTools();
  await call('open_sections', { section_keys: ['orders.delivered'], reason: 'The customer wants to return items.' });
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(closed.tools.length);

  const [payment] = order.payment_history;
  const give = {
    order_id: order.order_id,
    item_ids: order.items.map(({ item_id }) => item_id),
    payment_method_id: payment?.payment_method_id,
  };
  expect(order.items.reduce((total, { price }) => total + price, 0)).toBeGreaterThan(200);
  expect(await call('return_delivered_order_items', give)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('The supervisor said no.') as string }],
  });
  expect(store.orders.get(order.order_id)?.status).toBe('delivered');
  expect((await call('return_delivered_order_items', give)).isError).toBeUndefined();
  expect(store.orders.get(order.order_id)?.status).toBe('return requested');
  expect(asked).toEqual([
    expect.stringContaining('return_delivered_order_items'),
    expect.stringContaining(order.order_id),
  ]);
  await app.close();
});
