// An existing application, and the module that gives it an agent. `npm run -w @toolwright/nestjs cells` runs the same story on
// Fastify, and on other versions of Nest and test runners.
import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule } from './agent/agent.module.js';
import { runStory } from './story.js';

async function main(): Promise<void> {
  // The application's filter answers on the response, which tool calls do not have: Toolwright logs that once, and keeps the error.
  Logger.overrideLogger(['fatal']);
  const nest = await NestFactory.create(AgentModule);
  nest.enableShutdownHooks();
  await nest.listen(process.env['PORT'] ?? 0, '127.0.0.1');
  const url = `http://127.0.0.1:${String(((nest.getHttpServer() as Server).address() as AddressInfo).port)}`;
  if (process.env['PORT'] !== undefined) {
    console.log(`POST ${url}/chat, or MCP at ${url}/mcp; end with Ctrl-C`);
    return;
  }
  try {
    await runStory(nest, url, console.log);
  } finally {
    await nest.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
