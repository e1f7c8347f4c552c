// A server of MCP-Nest, moved: a guest and a member of the staff see and call the same tools as before.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './agent.js';

async function main(): Promise<void> {
  Logger.overrideLogger(['error']);
  const nest = await NestFactory.create(AppModule);
  await nest.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${String(((nest.getHttpServer() as Server).address() as AddressInfo).port)}/mcp`;
  try {
    for (const role of ['guest', 'staff']) await callAs(role, url);
  } finally {
    await nest.close();
  }
}

async function callAs(role: string, url: string): Promise<void> {
  const client = new Client({ name: 'sample', version: '1.0.0' });
  const requestInit = { headers: { 'x-role': role } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const call = async (name: string, orderId: string): Promise<void> => {
    const { content, isError } = await client.callTool({ name, arguments: { orderId } });
    const [first] = content as readonly { readonly text: string }[];
    console.log(`  ${isError === true ? '✗' : '✓'} ${name} ${orderId}: ${first?.text.split('\n').join(' ') ?? ''}`);
    assert.equal(isError === true, orderId !== 'W1' || (name === 'cancel_order' && role === 'guest'));
  };

  const { tools } = await client.listTools();
  console.log(`${role}: ${tools.map(({ name }) => name).join(', ')}`);
  assert.deepEqual(tools[0]?.inputSchema.required, ['orderId']);
  assert.equal(tools[0].annotations?.readOnlyHint, true);
  await call('get_order', 'W1');
  await call('get_order', 'W9');
  await call('get_order', 'nine');
  await call('cancel_order', 'W1');
  const { contents } = await client.readResource({ uri: 'shop://returns' });
  assert.deepEqual(contents, [{ uri: 'shop://returns', mimeType: 'text/plain', text: 'Within 30 days.' }]);
  await client.close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
