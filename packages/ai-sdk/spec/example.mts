import { gateway } from 'ai';
import { createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import { AiSdkAdapter } from '@toolwright/ai-sdk';

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
const { text } = await app.evaluate(app.prompt(StockDesk), {
  // Also accepts the model of any provider package.
  adapter: new AiSdkAdapter({ model: gateway('openai/gpt-5-mini') }),
  messages: [{ role: 'user', content: 'How many of A-1 are there?' }],
});
console.log(text);
