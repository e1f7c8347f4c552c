import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import { serveMcp } from '@toolwright/mcp';

@Section({ title: 'Stock', template: 'Look an article up before you say how many there are.' })
class Stock {
  @Tool({ description: 'How many of an article are in stock.', hints: { readOnly: true } })
  inStock(@Param('sku', 'Number of the article, e.g. A-1') sku: string): number {
    return sku === 'A-1' ? 4 : 0;
  }
}

@Prompt({ ns: 'shop', key: 'stock', sections: [Stock] })
class StockDesk {}

const app = await createApplication({ prompts: [StockDesk] });
const server = serveMcp(app, app.prompt(StockDesk));
const url = await server.listen();

// Now any MCP client can call the tools.
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
console.log(await client.callTool({ name: 'in_stock', arguments: { sku: 'A-1' } }));
await client.close();
await server.close();
await app.close();
