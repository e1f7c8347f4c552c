// Runs one tool call as each library does in its own loop, from the arguments as JSON text to the text that the model reads. No library
// opens a transaction.
import { tool as langchainTool } from '@langchain/core/tools';
import { createTool } from '@mastra/core/tools';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemoryTransport1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { ValidationPipe } from '@nestjs/common';
import { RunContext, tool as agentsTool } from '@openai/agents';
import { tool as aiTool } from 'ai';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { createRequire } from 'node:module';
import { OrderDto, zodOrder } from './orderSchemas.mjs';

// The version that `ai` itself uses; other peers depend on another one.
const { asSchema, safeParseJSON } = createRequire(import.meta.resolve('ai'))('@ai-sdk/provider-utils');
const about = { name: 'place_order', description: 'Place an order.' };

export async function peers({ place }) {
  const answer = async (order) => JSON.stringify(place(order));
  const info = { name: 'bench', version: '1' };
  const mcp1 = await overMcp(answer, new McpServer1(info), new Client1(info), InMemoryTransport1);
  const mcp2 = await overMcp(answer, new McpServer(info), new Client(info), InMemoryTransport);
  return {
    contenders: {
      'JSON.parse + zod': async (text) => {
        const { success, data, error } = zodOrder.safeParse(JSON.parse(text));
        return success ? answer(data) : error.message;
      },
      'AI SDK 7, validation only': aiSdk(answer),
      'Mastra createTool().execute': mastra(answer),
      'OpenAI Agents tool().invoke': agents(answer),
      'LangChain tool.invoke': langchain(answer),
      'MCP SDK 1, in memory': mcp1.call,
      'MCP SDK 2, in memory': mcp2.call,
      'plainToInstance + validate': async (text) => {
        const order = plainToInstance(OrderDto, JSON.parse(text));
        const errors = await validate(order, { whitelist: true, forbidNonWhitelisted: true });
        return errors.length === 0 ? answer(order) : errors.map(String).join('\n');
      },
      'Nest ValidationPipe': nest(answer),
    },
    close: async () => {
      await mcp1.close();
      await mcp2.close();
    },
  };
}

function aiSdk(answer) {
  const { inputSchema, execute } = aiTool({ description: about.description, inputSchema: zodOrder, execute: answer });
  return async (text) => {
    const { success, value, error } = await safeParseJSON({ text, schema: asSchema(inputSchema) });
    return success ? execute(value, { toolCallId: 'c1', messages: [] }) : String(error);
  };
}

function mastra(answer) {
  const tool = createTool({
    id: about.name,
    description: about.description,
    inputSchema: zodOrder,
    execute: async (order) => answer(order),
  });
  return async (text) => {
    const result = await tool.execute(JSON.parse(text), {});
    return typeof result === 'string' ? result : result.message;
  };
}

function agents(answer) {
  const tool = agentsTool({ ...about, parameters: zodOrder, execute: answer });
  const context = new RunContext();
  return (text) => tool.invoke(context, text);
}

function langchain(answer) {
  const tool = langchainTool(answer, { ...about, schema: zodOrder });
  return async (text) => {
    try {
      return await tool.invoke(JSON.parse(text));
    } catch (error) {
      return String(error.output ?? '') + error.message;
    }
  };
}

function nest(answer) {
  const pipe = new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true });
  return async (text) => {
    try {
      return await answer(await pipe.transform(JSON.parse(text), { type: 'body', metatype: OrderDto }));
    } catch (error) {
      return JSON.stringify(error.getResponse());
    }
  };
}

async function overMcp(answer, server, client, Transport) {
  const { description } = about;
  server.registerTool(about.name, { description, inputSchema: zodOrder }, async (order) => ({
    content: [{ type: 'text', text: await answer(order) }],
  }));
  const [ours, theirs] = Transport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  return {
    call: async (text) => {
      const { content } = await client.callTool({ name: about.name, arguments: JSON.parse(text) });
      return content[0].text;
    },
    close: async () => {
      await client.close();
      await server.close();
    },
  };
}
