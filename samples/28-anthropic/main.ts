// A prompt with a model of Anthropic: against a local fake, or the provider itself with `--real`.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import { AnthropicAdapter } from '@toolwright/anthropic';
import { ProviderDouble } from './double.js';

const counts = new Map([['A-1', 4]]);

@Section({ title: 'Stock', template: 'Look an article up before you say how many there are.' })
class Stock {
  @Tool({ description: 'How many of an article are in stock.', hints: { readOnly: true } })
  inStock(@Param('sku', 'Number of the article, e.g. A-1') sku: string): number {
    return counts.get(sku) ?? 0;
  }

  @Tool('Order more of an article.')
  orderMore(@Param('sku', 'Number of the article, e.g. A-1') sku: string): string {
    return `Ordered ${sku}.`;
  }
}

@Prompt({ ns: 'samples', key: 'stock', sections: [Stock] })
class StockDesk {}

const messages = [{ role: 'user', content: 'How many of A-1 and B-2 are there?' }] as const;

async function main(): Promise<void> {
  const { ANTHROPIC_API_KEY, ANTHROPIC_MODEL: model = 'claude-sonnet-5' } = process.env;
  if (process.argv.includes('--real') && ANTHROPIC_API_KEY !== undefined) return runs(new Anthropic(), model);
  const double = new ProviderDouble();
  try {
    await runs(new Anthropic({ apiKey: 'none', baseURL: await double.start() }), model, double);
  } finally {
    double.stop();
  }
}

async function runs(client: Anthropic, model: string, double?: ProviderDouble): Promise<void> {
  const nothing = () => undefined;
  const logger = { debug: nothing, info: (words: string) => console.log(words), warn: nothing, error: nothing };
  const app = await createApplication({ prompts: [StockDesk], logger, random: () => 0 });
  const prompt = app.prompt(StockDesk);

  console.log('--- Two requests, and one that found the provider busy ---');
  const adapter = new AnthropicAdapter({ client, model, cache: '1h' });
  const { text, turns, usage } = await app.evaluate(prompt, { adapter, messages });
  console.log(text);
  console.log(`${String(turns)} requests, ${String(usage?.cachedInputTokens)} tokens read from the cache`);

  const last = double?.requests.at(-1);
  if (last !== undefined) {
    console.log('\n--- What the last request held ---');
    for (const { role, content } of last.messages) {
      const blocks = content.map(({ type, cache_control }) => (cache_control ? `${type} (marked)` : type));
      console.log(`${role}: ${blocks.join(', ')}`);
    }
  }

  console.log('\n--- Streamed, with tools that the model searches for ---');
  const searching = new AnthropicAdapter({ client, model, deferTools: ({ name }) => name === 'order_more' });
  let pieces = 0;
  for await (const event of app.stream(prompt, { adapter: searching, messages })) {
    if (event.kind === 'outcome') console.log(`${event.name}: ${event.message.content}`);
    if (event.kind !== 'text') continue;
    process.stdout.write(event.text);
    pieces += 1;
  }
  const offered = double?.requests.at(-1)?.tools ?? [];
  console.log(
    `\noffered: ${offered.map(({ name, defer_loading }) => (defer_loading ? `${name} (deferred)` : name)).join(', ')}`,
  );

  if (double === undefined) return;
  assert.equal(text, 'There are 4 of A-1, and none of B-2.');
  assert.equal(double.requests.length, 5);
  assert.deepEqual(
    last?.messages[1]?.content.map(({ type }) => type),
    ['thinking', 'tool_use', 'tool_use'],
  );
  assert.equal(pieces, 9);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
