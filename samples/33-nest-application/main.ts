// A Nest application offers its services as tools: over HTTP and over MCP, for users with different permissions.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Logger, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule } from './agent.js';
import { InvoicesService } from './InvoicesService.js';

async function main(): Promise<void> {
  Logger.overrideLogger(['error']);
  const nest = await NestFactory.create(AgentModule);
  nest.enableShutdownHooks();
  const port = process.env['PORT'];
  await nest.listen(port ?? 0, '127.0.0.1');
  const url = `http://127.0.0.1:${String(((nest.getHttpServer() as Server).address() as AddressInfo).port)}`;
  if (port !== undefined) {
    console.log(`POST ${url}/chat, or MCP at ${url}/mcp; end with Ctrl-C`);
    return;
  }
  try {
    await overHttp(url);
    await perUser(url);
    await leaveEarly(nest, url);
  } finally {
    await nest.close();
  }
}

const post = (url: string, user: string, message: string, more: RequestInit & { accept?: string } = {}) =>
  fetch(`${url}/chat`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${user}-token`,
      accept: more.accept ?? 'application/json',
    },
    body: JSON.stringify({ message }),
    ...more,
  });

async function ask(url: string, user: string, message: string): Promise<string> {
  const { text } = (await (await post(url, user, message)).json()) as { text: string };
  console.log(`${user}: ${message}\n  ${text}`);
  return text;
}

async function overHttp(url: string): Promise<void> {
  console.log('--- Over HTTP ---');
  assert.match(await ask(url, 'ann', 'What has Ada ordered?'), /"status":"pending"/);
  assert.match(await ask(url, 'ann', 'Cancel W3.'), /Cancelled W3/);
  assert.match(await ask(url, 'ann', 'Look W9 up.'), /There is no order W9/);
  // The existing endpoint sees the agent's change.
  const order = await fetch(`${url}/orders/W3`, { headers: { authorization: 'Bearer ann-token' } });
  assert.deepEqual(await order.json(), { id: 'W3', status: 'cancelled' });
  assert.equal((await post(url, 'nobody', 'Cancel W1.')).status, 401);

  const events = await (await post(url, 'ann', 'Look W9 up.', { accept: 'text/event-stream' })).text();
  const names = [...events.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
  console.log(`as events: ${[...new Set(names)].join(', ')}`);
}

async function perUser(url: string): Promise<void> {
  console.log('--- Over MCP, by user ---');
  for (const user of ['ann', 'kim']) {
    const client = new Client({ name: 'sample', version: '1.0.0' });
    const headers = { authorization: `Bearer ${user}-token` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
    const { tools } = await client.listTools();
    console.log(`${user}: ${tools.map(({ name }) => name).join(', ')}`);
    if (user === 'kim') {
      const refused = await client.callTool({ name: 'write_off', arguments: { orderId: 'W1' } });
      const [first] = refused.content as { text: string }[];
      console.log(`  ${first?.text.split('\n')[0] ?? ''}`);
      assert.equal(refused.isError, true);
      const paid = await client.callTool({ name: 'invoices_of', arguments: { orderId: 'W1' } });
      assert.match(JSON.stringify(paid.content), /4900/);
    }
    await client.close();
  }
}

async function leaveEarly(nest: INestApplication, url: string): Promise<void> {
  console.log('--- A client that goes away ---');
  const client = new AbortController();
  const response = await post(url, 'kim', 'Remind everybody.', { accept: 'text/event-stream', signal: client.signal });
  const reader = response.body!.getReader();
  await reader.read();
  const { rounds } = nest.get(InvoicesService);
  while (rounds.length === 0) await nextTick();
  client.abort();
  while (!rounds[0]!.givenUp) await nextTick();
  console.log(`reminders sent: ${String(rounds[0]!.sent)}; the rest was given up`);
  assert.equal(rounds[0]!.sent, 0);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
