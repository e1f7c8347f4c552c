// One prompt with both APIs of OpenAI: against a local fake, or the provider itself with `--real`.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { createApplication, Field, Param, Prompt, Section, Tool } from 'toolwright';
import { OpenAIChatAdapter, OpenAIResponsesAdapter } from '@toolwright/openai';
import { ProviderDouble } from './double.js';

const counts = new Map([['A-1', 4]]);

@Section({ title: 'Stock', template: 'Look an article up before you say how many there are.' })
class Stock {
  @Tool({ description: 'How many of an article are in stock.', hints: { readOnly: true } })
  inStock(@Param('sku', 'Number of the article, e.g. A-1') sku: string): number {
    return counts.get(sku) ?? 0;
  }
}

@Prompt({ ns: 'samples', key: 'stock', sections: [Stock] })
class StockDesk {}

class Line {
  @Field('Number of the article') sku!: string;
  @Field({ description: 'How many there are', integer: true, min: 0 }) count!: number;
}
class Report {
  @Field({ description: 'One line for each article', type: [Line] }) lines!: Line[];
}

const messages = [{ role: 'user', content: 'How many of A-1 and B-2 are there?' }] as const;

async function main(): Promise<void> {
  const { OPENAI_API_KEY, OPENAI_MODEL: model = 'gpt-5-mini' } = process.env;
  if (process.argv.includes('--real') && OPENAI_API_KEY !== undefined) return runs(new OpenAI(), model);
  const double = new ProviderDouble();
  try {
    await runs(new OpenAI({ apiKey: 'none', baseURL: await double.start() }), model, double);
  } finally {
    double.stop();
  }
}

async function runs(client: OpenAI, model: string, double?: ProviderDouble): Promise<void> {
  const app = await createApplication({ prompts: [StockDesk] });
  const prompt = app.prompt(StockDesk);

  console.log('--- Chat Completions ---');
  const chat = new OpenAIChatAdapter({ client, model });
  const completed = await app.evaluate(prompt, { adapter: chat, messages });
  console.log(completed.text);
  console.log(`${String(completed.turns)} requests, ${String(completed.usage?.totalTokens)} tokens`);

  console.log('\n--- Responses ---');
  // The key keeps requests with the same beginning at the same cache.
  const adapter = new OpenAIResponsesAdapter({ client, model, parameters: { prompt_cache_key: 'stock-desk' } });
  const responded = await app.evaluate(prompt, { adapter, messages });
  console.log(responded.text);
  const sent = double?.requests.at(-1)?.input ?? [];
  console.log(`the last request held: ${sent.map(({ role, type }) => role ?? type).join(', ')}`);

  console.log('\n--- Responses, streamed ---');
  let pieces = 0;
  for await (const event of app.stream(prompt, { adapter, messages })) {
    if (event.kind === 'outcome') console.log(`${event.name}: ${event.message.content}`);
    if (event.kind !== 'text') continue;
    process.stdout.write(event.text);
    pieces += 1;
  }
  console.log(`\nin ${String(pieces)} pieces`);

  console.log('\n--- An answer as a class ---');
  const { output } = await app.evaluate(prompt, { adapter, messages, output: Report });
  for (const { sku, count } of output.lines) console.log(`${sku}: ${String(count)}`);

  if (double === undefined) return;
  assert.equal(completed.text, responded.text);
  assert.deepEqual(
    sent.map(({ role, type }) => role ?? type),
    ['system', 'user', 'reasoning', 'function_call', 'function_call', 'function_call_output', 'function_call_output'],
  );
  assert.equal(pieces, 9);
  assert.ok(output.lines[0] instanceof Line);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
