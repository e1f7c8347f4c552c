import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { openTelemetry } from '@toolwright/opentelemetry';

@Section({ title: 'Stock', template: 'Look an article up before you say how many there are.' })
class Stock {
  @Tool({ description: 'How many of an article are in stock.', hints: { readOnly: true } })
  inStock(@Param('sku', 'Number of the article, e.g. A-1') sku: string): number {
    return sku === 'A-1' ? 4 : 0;
  }
}

@Prompt({ ns: 'shop', key: 'stock', sections: [Stock] })
class StockDesk {}

// In production, use your collector's exporter and a real model.
const exporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const adapter = new ScriptedModel([
  { toolCalls: [{ name: 'in_stock', arguments: { sku: 'A-1' } }] },
  { text: 'There are 4.' },
]);

const app = await createApplication({ prompts: [StockDesk], interceptors: [openTelemetry({ tracerProvider })] });
await app.evaluate(app.prompt(StockDesk), { adapter });
for (const { name } of exporter.getFinishedSpans()) console.log(name);
