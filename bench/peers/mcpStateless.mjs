// A process that serves the tool of bench/tasks/serveOrders.ts with the server of MCP SDK 2, without sessions, as its documentation shows.
import { createServer } from 'node:http';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { reportServer } from '../../build/bench/harness/ServerProcess.js';

const [isHostValid, isOriginValid] = [localhostHostValidation(), localhostOriginValidation()];
const inputSchema = z.object({ order_id: z.string().describe('The order') });

const handler = toNodeHandler(
  createMcpHandler(() => {
    const server = new McpServer({ name: 'bench', version: '1.0.0' });
    const tool = { description: 'Returns an order.', inputSchema, annotations: { readOnlyHint: true } };
    server.registerTool('get_order', tool, ({ order_id }) => ({
      content: [{ type: 'text', text: `Order ${order_id}: shipped` }],
    }));
    return server;
  }),
);

const server = createServer(async (request, response) => {
  if (!isHostValid(request, response) || !isOriginValid(request, response)) return;
  await handler(request, response);
});
server.listen(0, '127.0.0.1', () => reportServer(`http://127.0.0.1:${server.address().port}/mcp`));
