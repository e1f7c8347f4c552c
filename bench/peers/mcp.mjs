// A process that serves the tool of bench/tasks/serveOrders.ts with the server of MCP SDK 2, with sessions, as its documentation shows.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
} from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { reportServer } from '../../build/bench/harness/ServerProcess.js';

const [isHostValid, isOriginValid] = [localhostHostValidation(), localhostOriginValidation()];
const transports = new Map();

async function openTransport() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  const inputSchema = z.object({ order_id: z.string().describe('The order') });
  const tool = { description: 'Returns an order.', inputSchema, annotations: { readOnlyHint: true } };
  server.registerTool('get_order', tool, ({ order_id }) => ({
    content: [{ type: 'text', text: `Order ${order_id}: shipped` }],
  }));
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void transports.set(id, transport),
  });
  await server.connect(transport);
  return transport;
}

const server = createServer(async (request, response) => {
  if (!isHostValid(request, response) || !isOriginValid(request, response)) return;
  const transport = transports.get(request.headers['mcp-session-id']) ?? (await openTransport());
  await transport.handleRequest(request, response);
});
server.listen(0, '127.0.0.1', () => reportServer(`http://127.0.0.1:${server.address().port}/mcp`));
