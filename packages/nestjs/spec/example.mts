import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Param, Prompt, Section, Tool } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { Toolwright, ToolwrightModule } from '@toolwright/nestjs';

@Injectable()
@Section({ title: 'Stock', template: 'Look an article up before you say how many there are.' })
class StockService {
  @Tool({ description: 'How many of an article are in stock.', hints: { readOnly: true } })
  inStock(@Param('sku', 'Number of the article, e.g. A-1') sku: string): number {
    return sku === 'A-1' ? 4 : 0;
  }
}

@Prompt({ ns: 'shop', key: 'stock', sections: [StockService] })
class StockDesk {}

@Module({ imports: [ToolwrightModule.forRoot()], providers: [StockService, StockDesk] })
class AppModule {}

const nest = await NestFactory.createApplicationContext(AppModule, { logger: false });
const { app } = nest.get(Toolwright);
// Replaces a model: it asks for A-1, then answers with the result.
const adapter = new ScriptedModel([
  { toolCalls: [{ name: 'in_stock', arguments: { sku: 'A-1' } }] },
  ({ messages }) => ({ text: `There are ${messages.at(-1)?.content}.` }),
]);
console.log((await app.evaluate(app.prompt(StockDesk), { adapter })).text);
await nest.close();
