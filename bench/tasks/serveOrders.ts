// A process that serves one tool to MCP clients over HTTP, for bench/mcp.bench.ts.
import 'reflect-metadata';
import { serveMcp } from '@toolwright/mcp';
import { createApplication, definePrompt, defineSection, defineTool, Param } from 'toolwright';
import { reportServer } from '../harness/ServerProcess.js';

class GetOrder {
  @Param({ description: 'The order', name: 'order_id' }) orderId!: string;
}

const getOrder = defineTool({
  name: 'get_order',
  description: 'Returns an order.',
  params: GetOrder,
  hints: { readOnly: true },
  handler: ({ orderId }) => `Order ${orderId}: shipped`,
});

async function main(): Promise<void> {
  const section = defineSection({ key: 'orders', title: 'Orders', template: 'Look orders up.', tools: [getOrder] });
  const desk = definePrompt({ ns: 'bench', key: 'desk', sections: [section] });
  const app = await createApplication({ prompts: [desk] });
  reportServer(await serveMcp(app, app.prompt(desk)).listen());
}

void main();
