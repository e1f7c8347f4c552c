import { createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { programs } from '@toolwright/programs';

@Section({ title: 'Stock', template: 'Look an article up before you say how many there are.' })
class Stock {
  @Tool({ description: 'How many of an article are in stock.', hints: { readOnly: true } })
  inStock(@Param('sku', 'Number of the article, e.g. A-1') sku: string): number {
    return sku === 'A-1' ? 4 : 0;
  }
}

@Prompt({ ns: 'shop', key: 'stock', sections: [Stock], extensions: [programs()] })
class StockDesk {}

// Replaces a model: it sends one program, then answers with the program's result.
const code = `
  const counts = await Promise.all(['A-1', 'B-2'].map((sku) => in_stock({ sku })));
  return counts.reduce((sum, count) => sum + count, 0);
`;
const adapter = new ScriptedModel([
  { toolCalls: [{ name: 'execute_program', arguments: { code } }] },
  ({ messages }) => ({ text: messages.at(-1)?.content ?? '' }),
]);

const app = await createApplication({ prompts: [StockDesk] });
const { text } = await app.evaluate(app.prompt(StockDesk), { adapter });
console.log(text);
await app.close();
